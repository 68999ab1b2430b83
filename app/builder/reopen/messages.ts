import type { MailType } from "~/pieces/mail-type";

/** What is said of a stored request that was opened again. */

export const CANNOT_REOPEN = "This request cannot be opened.";
export const NO_SENT_REQUEST = "There is no stored response or piece with this id.";

export function formatReopenTitle(again: boolean, changed: boolean): string {
  if (again) return "New request.";
  return changed ? "Opened with changes." : "Opened as it was sent.";
}

export function formatReopened(sentAt: string): string {
  return `Copy of the request sent on ${sentAt}. Sending it makes a new request.`;
}

export function formatWasLive(mailType: MailType): string {
  return `This ${mailType} was sent live. It opens in test mode: nothing is mailed or charged until you switch to Live.`;
}

export function formatLostBase(label: string): string {
  return `The base URL ${label} is no longer configured. Choose another one.`;
}
