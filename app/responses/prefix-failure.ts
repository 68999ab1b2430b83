import type { Outcome } from "~/platform/outcome";

/**
 * Puts what failed before the message of a failure: 'Failed to fetch responses: …'. The message of `not_configured`
 * stays as it is, because callers recognise it by its text.
 */
export function prefixFailure<T>(what: string, outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok || outcome.failure.code === "not_configured") return outcome;
  return { ok: false, failure: { ...outcome.failure, message: `${what}: ${outcome.failure.message}` } };
}
