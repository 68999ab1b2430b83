/** The sentences of Stored Responses and of `/api/responses`: what failed, what was and was not done, the next step. */

export const NOTHING_SAVED = "Nothing was saved.";
const inEnglish = (number: number) => number.toLocaleString("en");

// Saving

export const NO_USER = "Please select a user before saving the response";
export const UNKNOWN_USER = `There is no user with this ID. ${NOTHING_SAVED}`;
export const DELETED_MEANWHILE = "The saved response has been deleted since.";
export const SAVED = "Saved.";
export const TAGS_SAVED = "Tags saved.";

/** @param problems what is wrong, field by field */
export function formatNotSaved(problems: string): string {
  return `The response cannot be saved: ${problems}. ${NOTHING_SAVED}`;
}

export function formatRequestTooLarge(mostChars: number): string {
  return `request_data is too large: without its files it may have ${inEnglish(mostChars)} characters at most. ${NOTHING_SAVED}`;
}

/** Stands in a stored request instead of its query and body. */
export function formatLongRequest(chars: number, mostChars: number): string {
  return `[not kept: query and body have ${inEnglish(chars)} characters, more than ${inEnglish(mostChars)}]`;
}

/** Stands at the end of a stored body that was cut. */
export function formatCut(chars: number, keptChars: number): string {
  return `[cut here: only the first ${inEnglish(keptChars)} of ${inEnglish(chars)} characters are kept]`;
}

/** Stands in a stored request instead of a file. */
export function formatStrippedFile(bytes: number, sha256: string): string {
  return `(file of ${inEnglish(bytes)} bytes, not kept; SHA-256 ${sha256})`;
}

// Reading

export const FETCH_FAILED = "Failed to fetch responses";
export const RESPONSE_NOT_FOUND = "There is no stored response with this ID.";
export const RESPONSE_GONE = "This response cannot be shown. It may have been deleted.";
export const SERVER_SILENT = "Network error: the Mailroom server did not answer.";

export function formatBodiesFailed(status: number): string {
  return `Request failed with status ${status}`;
}

/** @param problems what is wrong, field by field */
export function formatBadFilter(problems: string): string {
  return `This filter is not valid: ${problems}.`;
}

/** What a search of fewer than three letters or digits looks through. */
export function formatSearchBound(newest: number): string {
  return `With fewer than three letters or digits in a row, only the newest ${inEnglish(newest)} responses are searched.`;
}

// Deleting

export const DELETE_FAILED = "Failed to delete response";
export const NOTHING_TO_DELETE = `${DELETE_FAILED}: there is no stored response with this ID. Nothing was deleted.`;
export const DELETED = "Deleted from the stored responses.";
export const DELETED_KEEPS_PIECE = `${DELETED} The piece keeps its own record.`;
export const DELETE_HINT = "It is deleted for everybody and cannot be restored.";
export const DELETE_HINT_PIECE =
  "It is removed from this list for everybody. The piece keeps its own record.";

// Cancelling: why a stored response has no 'Cancel Mail'

export const NOT_MAIL = "This response is not about a letter or postcard.";
export const CREATED_NOTHING = "This request did not create a letter or postcard.";
export const NOT_ACCEPTED = "The provider did not accept this request, so there is nothing to cancel.";
export const RESPONSE_ALREADY_CANCELLED = "This piece is cancelled already.";

// Comparing

export const SELECT_TWO = "Select two responses in the list, then compare them.";
export const COMPARE_HINT = "Select two responses, or one here and another one on another page";
export const COMPARE_WITH_CHOSEN_HINT = "Select the second response first";
export const CHOSEN_HINT = "Select another one, on this page or any other, then compare.";
export const TWO_ONLY = "More than two responses are selected. Select exactly two, then compare them.";

export function formatNothingToCompare(id: string): string {
  return `There is no stored response ${id}. It may have been deleted.`;
}

/**
 * "2 differences, 3 expected".
 * @param expected differences in IDs, times and the like
 */
export function formatDifferenceCount(relevant: number, expected: number): string {
  const count =
    relevant === 0 ? "no differences" : relevant === 1 ? "1 difference" : `${relevant} differences`;
  return expected === 0 ? count : `${count}, ${expected} expected`;
}

/** A comparison that was over its limits of time or memory. */
export const NOT_COMPARED = "The responses were not compared.";
export const TOO_DEEP_TO_SHOW = "This value is nested too deeply to be shown.";

/** @param text the start of a value that has `chars` characters */
export function formatCutValue(text: string, chars: number): string {
  return `${text}… ${inEnglish(chars)} characters`;
}

export function formatHiddenDifferences(count: number): string {
  return count === 1
    ? "1 more difference is not shown."
    : `${inEnglish(count)} more differences are not shown.`;
}

// The tab

export const LOG_IN_FOR_RESPONSES = "to see what you and your team sent and saved.";
export const UNTIL_CONFIGURED = "Until then nothing is stored. Everything else works.";
export const NOTHING_IN_CHART = "No responses were stored in this time.";
