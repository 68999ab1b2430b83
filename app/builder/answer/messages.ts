import { formatHeldPart } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";

/** Messages of an answer and its panel. */

/** States of a piece after its send. */
export const PIECE_STATES = {
  checking: "Checking",
  refused: "Refused",
  unanswered: "No answer",
  notSent: "Not sent",
  sent: "Sent",
  tested: "Tested",
  answered: "Answered",
};
export const EXAMPLE_TITLE = "Example response (nothing was sent)";
export const VIEW_PIECE = "View piece";

/** " Balance 41, of which 1 is held.", or nothing where it is not known. @param held in credits */
export function formatBalance(balance: number | null, held = 0): string {
  if (balance === null) return "";
  return ` Balance ${balance.toLocaleString("en")}${formatHeldPart(held)}.`;
}
export const SAVE_NEEDS_USER = "Please select a user before saving the response";
export function formatSaveFailed(status: number): string {
  return `Failed to save response: ${status}`;
}

export const FALLBACK_TESTED =
  "The recipient is only a placeholder for tests. Choose a recipient and test again.";

/** Sentences about a stored request that was opened again. */

export const CANNOT_REOPEN = "This request cannot be opened.";
export function formatWasLive(mailType: MailType): string {
  return `This ${mailType} was sent live. It opens in test mode: nothing is mailed or charged until you switch to Live.`;
}
