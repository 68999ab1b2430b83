import { availableCalls, findRate, type Rate } from "~/outside/mail-provider/call/pace.server";

/** The share of the provider's rate limit that lists may use, so that people can still work. */
const LIST_SHARE = 2 / 3;
/** The provider's documented limit, until an answer has told the account's own. */
const DOCUMENTED_LIMIT = 300;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 300;

/** How many of `wanted` rows may be sent now: the rest of the minute's calls belongs to people. */
export function availableCapacity(baseUrl: string, wanted: number, now = performance.now()): number {
  const room = availableCalls(baseUrl, wanted, now);
  const rate = findRate(baseUrl, now);
  if (rate === null) return room;
  const kept = rate.limit - Math.floor(rate.limit * LIST_SHARE);
  return Math.max(0, Math.min(room, rate.left - kept));
}

/** Minutes that so many rows take at the provider's rate limit. */
export function estimateMinutes(rows: number, rate: Rate | null): number {
  return Math.ceil(rows / ((rate?.limit ?? DOCUMENTED_LIMIT) * LIST_SHARE));
}

/** Seconds until a list is tried again after so many tries in a row without an answer. */
export function chooseListWait(failures: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(failures, 10), LONGEST_WAIT_SECONDS);
}
