/** The sentences of Stored Responses and of `/api/responses`: what failed, what was and was not done, the next step. */

export const NOTHING_SAVED = "Nothing was saved.";
const inEnglish = (number: number) => number.toLocaleString("en");

// Saving

export const NO_USER = "Please select a user before saving the response";
export const UNKNOWN_USER = `There is no user with this ID. ${NOTHING_SAVED}`;
export const DELETED_MEANWHILE = "The saved response has been deleted since.";

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

/**
 * "2 differences, 3 expected".
 * @param expected differences in IDs, times and the like
 */
export function formatDifferenceCount(relevant: number, expected: number): string {
  const count =
    relevant === 0 ? "no differences" : relevant === 1 ? "1 difference" : `${relevant} differences`;
  return expected === 0 ? count : `${count}, ${expected} expected`;
}

/** @param text the start of a value that has `chars` characters */
export function formatCutValue(text: string, chars: number): string {
  return `${text}… ${inEnglish(chars)} characters`;
}

export function formatHiddenDifferences(count: number): string {
  return count === 1
    ? "1 more difference is not shown."
    : `${inEnglish(count)} more differences are not shown.`;
}
