import type { Outcome } from "~/platform/outcome";

/** Texts of Stored Responses and of `/api/responses` that several files share. */

export const NOTHING_SAVED = "Nothing was saved.";
export const FETCH_FAILED = "Failed to fetch responses";
export const SAVE_NEEDS_USER = "Please select a user before saving the response";
/** Tags a copy without tags, to tell it from the automatically saved response. */
export const COPY_TAG = "copy";
export const RESPONSE_NOT_FOUND = "There is no stored response with this ID.";

/** @param problems what is wrong, field by field */
export function formatNotSaved(problems: string): string {
  return `The response cannot be saved: ${problems}. ${NOTHING_SAVED}`;
}

/**
 * Prefixes the message of a failure: "Failed to fetch responses: …". The message of `not_configured` stays, because
 * callers recognise it by its text.
 */
export function prefixFailure<T>(what: string, outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok || outcome.failure.code === "not_configured") return outcome;
  return { ok: false, failure: { ...outcome.failure, message: `${what}: ${outcome.failure.message}` } };
}
