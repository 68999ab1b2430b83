import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";

export const RETRIED_WITH_KEY = "Retried with the same key, so nothing was sent or charged twice.";

export const MAY_BE_ACCEPTED = "The provider may have accepted this. It will not be sent twice.";

/** @param available in credits */
export function formatShortage(
  { mailType, cost }: { mailType: MailType; cost: number },
  available: number,
): string {
  return `Not enough credits: a live ${mailType} needs ${formatCredits(cost)} and you have ${available}.`;
}

export function formatPartlyCharged(cost: number, charged: number): string {
  return `It costs ${cost}, and only ${charged} could be charged.`;
}

export const CANCEL_AT_ONCE = "Cancel it at once if it must not be mailed.";
