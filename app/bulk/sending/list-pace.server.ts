import { availableCalls, findRate } from "~/outside/mail-provider/call/pace.server";
import type { Rate } from "~/outside/mail-provider/call/rate-headers";

/** Share of the provider's rate limit that lists may use; the rest is for people. */
const LIST_SHARE = 2 / 3;
/** The provider's documented limit, used until an answer states the account's own. */
const DOCUMENTED_LIMIT = 300;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 300;

/** Returns how many of `wanted` rows may be sent now. */
export function availableCapacity(baseUrl: string, wanted: number, now = performance.now()): number {
  const room = availableCalls(baseUrl, wanted, now);
  const rate = findRate(baseUrl, now);
  if (rate === null) return room;
  const kept = rate.limit - Math.floor(rate.limit * LIST_SHARE);
  return Math.max(0, Math.min(room, rate.left - kept));
}

/** Finds the first list whose account may be called now, so that others do not wait for one that may not. Adds its `room`. */
export function findListWithRoom<List extends { baseUrl: string }>(
  lists: readonly List[],
  wanted: (list: List) => number,
): (List & { room: number }) | undefined {
  return lists
    .map((list) => ({ ...list, room: availableCapacity(list.baseUrl, wanted(list)) }))
    .find(({ room }) => room > 0);
}

/** Estimates the minutes for these rows at the provider's rate limit. */
export function estimateMinutes(rows: number, rate: Rate | null): number {
  return Math.ceil(rows / ((rate?.limit ?? DOCUMENTED_LIMIT) * LIST_SHARE));
}

/** Returns the backoff in seconds after `failures` attempts in a row without an answer. */
export function backoffSeconds(failures: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(failures, 10), LONGEST_WAIT_SECONDS);
}
