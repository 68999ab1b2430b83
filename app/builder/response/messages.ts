import { formatCredits, formatHeldPart } from "~/credits/format-credits";

/** What an answer and its panel say. */

/** Where a piece stands by the answer to its send. */
export const PIECE_STATES = {
  checking: "Checking",
  refused: "Refused",
  unanswered: "No answer",
  notSent: "Not sent",
  sent: "Sent",
  tested: "Tested",
  answered: "Answered",
};
export const TESTED_NEXT = "Nothing was mailed. Check the provider's PDF, then send the tested piece live.";
export const EXAMPLE_TITLE = "Example response (nothing was sent)";
export const STOPPED = "The provider may already have the request. Its outcome is not known here.";
export const EMPTY_RESPONSE = "The response has no body.";
export const NOT_JSON = "This answer is not JSON.";
export const VIEW_PIECE = "View piece";
export const EARLIER_PIECE = "Earlier piece";

/** What a finished send or cancel did to the credits; `balance` null where it is not known. */
export function formatCreditsMoved(moved: {
  credits: number;
  as: "charged" | "refunded";
  /** The answer tells of an earlier send with the same key. */
  replayed: boolean;
  balance: number | null;
  held?: number;
}): string {
  const what = `${formatCredits(moved.credits)} ${moved.as}${moved.replayed ? " by the first send, none now" : ""}.`;
  return what + formatBalance(moved.balance, moved.held);
}

/** " Balance 41, of which 1 is held.", or nothing where it is not known. @param held in credits */
export function formatBalance(balance: number | null, held = 0): string {
  if (balance === null) return "";
  return ` Balance ${balance.toLocaleString("en")}${formatHeldPart(held)}.`;
}
/** In the error of our server when no database is configured. */
export const DATABASE_MISSING = "Database connection not available";
export const UNTIL_DATABASE = "Responses are not saved until then.";
export const SAVE_NEEDS_USER = "Please select a user before saving the response";
export const SAVED_WHEN_KNOWN = "A live send is saved automatically once its outcome is known.";
export const NOT_SAVED = "Not saved.";
export const SAVING_AUTOMATICALLY = "Saving automatically…";

export const SAVE_UNREACHABLE =
  "Network error: Mailroom did not answer. Save again: it will not be saved twice.";

export function formatSaveFailed(status: number): string {
  return `Failed to save response: ${status}`;
}
