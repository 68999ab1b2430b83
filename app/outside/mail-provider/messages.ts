import { NOTHING_DONE } from "~/platform/outcome";

/** The sentences about calls to the provider: what failed, and the next step. */

/** Where a request cannot be searched for credentials. */
export function formatTooDeep(levels: number): string {
  return `The request has values nested deeper than ${levels} levels.`;
}

/** Before anything was sent: as many calls as may wait are waiting. */
export function formatProviderBusy(seconds: number): string {
  return `Too many calls are waiting for the mail provider. ${NOTHING_DONE} Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}
