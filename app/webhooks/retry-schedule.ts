import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/platform/time";

/** Waits between tries, three days in all, as the Standard Webhooks specification proposes. */
export const RETRY_WAITS_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS,
];

/** "10 times in 3 days" */
export const HOW_OFTEN_TRIED = `${RETRY_WAITS_MS.length + 1} times in ${Math.round(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0) / DAY_MS)} days`;

/** Chooses the wait after a try; null: it was the last. `Retry-After` (seconds) can only make it longer. */
export function chooseRetryWait(attempts: number, retryAfter: number | null): number | null {
  const wait = RETRY_WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait, Math.min((retryAfter ?? 0) * 1000, DAY_MS));
}
