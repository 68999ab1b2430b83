/** What the Mail Management tab says. Sentences about a piece itself stand in `pieces/messages.ts`. */

/** An HTTP answer that is not a success. */
export interface BadAnswer {
  status: number;
  text: string;
}

const CHECK_INTERNET = "Network error: Please check your internet connection and try again.";
const CHECK_CONNECTION = "Network error: Please check your connection and try again.";
export const SERVICE_UNAVAILABLE = "Service temporarily unavailable. Please try again in a few moments.";
export const FETCH_FAILED = "Failed to fetch data";
const BY_STATUS: Record<number, string> = {
  404: "API endpoint not found. Please refresh the page and try again.",
  503: SERVICE_UNAVAILABLE,
};
const INTENT_FAILED: Record<string, string> = {
  cancel: "Failed to cancel item",
  delete_recipient: "Failed to delete recipient",
};
const MAX_CHARS = 200;

export const LOG_IN_FOR_MAIL = "to see mail and recipients.";
export const WITHOUT_DATABASE =
  "Mail items and recipients are not stored until then; everything else keeps working.";
export const NO_RECIPIENTS = "No recipients yet. Recipients that this user creates or mails appear here.";

export const HELD_TITLE = "Held pieces";
export const HELD_ABOUT =
  "It is not known yet whether these were mailed. Their credits are held: charged if they were, released if not.";

/** @param shown how many are listed @param more how many are not */
export function formatMoreHeld(shown: number, more: number): string {
  return `The newest ${shown} of ${(shown + more).toLocaleString("en")} are listed.`;
}

/** Above an empty list; `status` is the filter, or "". */
export function formatNoItems(names: "letters" | "postcards", status: string): string {
  return status
    ? `No ${names} with the status ${status.replaceAll("_", " ")}.`
    : `No ${names} yet. Those this user sends appear here with their status.`;
}

/** Before a recipient is deleted. */
export function formatDeleteQuestion(name: string): string {
  return `${name} will be deleted at the provider and here. Mail already sent stays.`;
}

/** Why a list could not be fetched; `answer` is null where the server was not reached. */
export function formatFetchFailure(answer: BadAnswer | null): string {
  if (answer === null) return CHECK_INTERNET;
  if (answer.status < 400) return FETCH_FAILED;
  return BY_STATUS[answer.status] ?? formatHttpFailure(answer);
}

/**
 * Why a form was not carried out, by its `intent`. `answer` is null where the server was not reached, "unreadable" where
 * it answered in a form we cannot read.
 */
export function formatPostFailure(intent: string, answer: BadAnswer | "unreadable" | null): string {
  if (answer === null) return CHECK_CONNECTION;
  if (answer !== "unreadable") return formatHttpFailure(answer);
  const failed = INTENT_FAILED[intent] ?? "Failed to refresh the status";
  return `${failed}: the server's answer is unreadable. Check the list before you try again.`;
}

/** The `error` field of an answer, or 'HTTP {status}: {text}'; of an HTML page its title. */
export function formatHttpFailure({ status, text }: BadAnswer): string {
  return findError(text) ?? `HTTP ${status}: ${toLine(text)}`.replace(/: $/, "");
}

function findError(text: string): string | null {
  try {
    const { error } = Object(JSON.parse(text)) as { error?: unknown };
    return typeof error === "string" && error !== "" ? error : null;
  } catch {
    return null;
  }
}

function toLine(text: string): string {
  const [, title] = /<title[^>]*>([^<]*)<\/title>/i.exec(text) ?? [];
  const line = (title ?? text.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}...` : line;
}
