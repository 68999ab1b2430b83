import type { Outcome } from "~/platform/outcome";

/**
 * Puts in front of a failure what could not be done (spec §8), as in 'Failed to fetch responses: …'. That no database
 * is configured stays said in its own words, by which pages know it.
 */
export function prefixFailure<T>(what: string, outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok || outcome.failure.code === "not_configured") return outcome;
  return { ok: false, failure: { ...outcome.failure, message: `${what}: ${outcome.failure.message}` } };
}
