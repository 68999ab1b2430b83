/** What the page says when the server was not reached, or not understood (spec §8 Mail management). */

/** An answer that is no success. */
export interface BadAnswer {
  status: number;
  text: string;
}

const CHECK_INTERNET = "Network error: Please check your internet connection and try again.";
const CHECK_CONNECTION = "Network error: Please check your connection and try again.";
const BY_STATUS: Record<number, string> = {
  404: "API endpoint not found. Please refresh the page and try again.",
  503: "Service temporarily unavailable. Please try again in a few moments.",
};
const FAILED: Record<string, string> = {
  cancel: "Failed to cancel item",
  delete_recipient: "Failed to delete recipient",
};
const MAX_CHARS = 200;

/** Why a list could not be fetched; `answer` is null where nothing answered. */
export function tellFetchFailure(answer: BadAnswer | null): string {
  if (answer === null) return CHECK_INTERNET;
  if (answer.status < 400) return "Failed to fetch data";
  return BY_STATUS[answer.status] ?? readFailure(answer);
}

/**
 * Why something could not be done, by the form's `intent`. `answer` is null where nothing answered, "unreadable" where
 * it cannot be told what was answered.
 */
export function tellPostFailure(intent: string, answer: BadAnswer | "unreadable" | null): string {
  if (answer === null) return CHECK_CONNECTION;
  if (answer !== "unreadable") return readFailure(answer);
  const failed = FAILED[intent] ?? "Failed to refresh the status";
  return `${failed}: the server's answer cannot be read. Look at the list before you try again.`;
}

/** The `error` field of an answer, or 'HTTP {status}: {text}'; of a page its title. */
export function readFailure({ status, text }: BadAnswer): string {
  return readError(text) ?? `HTTP ${status}: ${toLine(text)}`.replace(/: $/, "");
}

function readError(text: string): string | null {
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
