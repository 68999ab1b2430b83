import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/platform/time";

/** Waits between the tries of a delivery, as the Standard Webhooks specification proposes: three days in all. */
export const RETRY_WAITS_MS: readonly number[] = [
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

/** Most that a receiver may ask to wait for by `Retry-After`. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * How long to wait after try number `attempts`; null: that was the last one. A receiver that asks for more time gets it.
 * @param retryAfter seconds
 */
export function chooseRetryWait(attempts: number, retryAfter: number | null): number | null {
  const wait = RETRY_WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait, Math.min((retryAfter ?? 0) * 1000, LONGEST_WAIT_MS));
}
