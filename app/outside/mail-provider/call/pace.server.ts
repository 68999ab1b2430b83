import { findBaseOf } from "./address.server";
import { parseResetSeconds, parseWaitSeconds } from "./rate-limit";

/** Rate limit of an account, from the provider's last answer. */
export interface Rate {
  /** Calls per minute. */
  limit: number;
  /** Remaining calls of this minute. */
  left: number;
}

/** State of a base URL in this process. Times are of `performance.now()`, because the clock may be set back. */
interface Pace {
  rate: (Rate & { until: number }) | null;
  /** Consecutive calls without an answer. */
  failures: number;
  /** End of a used-up rate limit. */
  restUntil: number;
}

/** Consecutive calls without an answer after which a base URL counts as down. */
const FAILURES_TO_SLOW_DOWN = 5;
const TOO_MANY_REQUESTS = 429;

const paces = new Map<string, Pace>();

/** Updates the state of a call's base URL. @param answer null without one; its headers have lower-case names */
export function notePace(
  url: string,
  answer: { status: number; headers: Readonly<Record<string, string>> } | null,
  now = performance.now(),
): void {
  const base = findBaseOf(url);
  if (!base) return;
  const pace = paces.get(base.url) ?? { rate: null, failures: 0, restUntil: 0 };
  paces.set(base.url, pace);
  pace.failures = answer === null || answer.status >= 500 ? pace.failures + 1 : 0;
  if (answer === null) return;
  if (answer.status === TOO_MANY_REQUESTS) pace.restUntil = now + parseWaitSeconds(answer.headers) * 1_000;
  const rate = parseRate(answer.headers);
  const resetSeconds = parseResetSeconds(answer.headers);
  if (rate && resetSeconds !== null) pace.rate = { ...rate, until: now + resetSeconds * 1_000 };
}

/** Finds the rate limit of this minute; null when unknown. */
export function findRate(baseUrl: string, now = performance.now()): Rate | null {
  const rate = paces.get(baseUrl)?.rate;
  return rate && now < rate.until ? { limit: rate.limit, left: rate.left } : null;
}

/**
 * Returns how many of `wanted` background calls a base URL may get now: none while its rate limit is used up, and one at a
 * time while it does not answer, so that other work does not wait for it.
 */
export function availableCalls(baseUrl: string, wanted: number, now = performance.now()): number {
  const { failures, restUntil } = paces.get(baseUrl) ?? { failures: 0, restUntil: 0 };
  if (now < restUntil) return 0;
  return failures >= FAILURES_TO_SLOW_DOWN ? Math.min(1, wanted) : wanted;
}

/** Clears the state of all base URLs, for tests. */
export function resetPaces(): void {
  paces.clear();
}

function parseRate(headers: Readonly<Record<string, string>>): Rate | null {
  const limit = Number.parseInt(headers["x-ratelimit-limit"] ?? "", 10);
  const left = Number.parseInt(headers["x-ratelimit-remaining"] ?? "", 10);
  // A missing number is NaN, which is not greater than anything.
  return limit > 0 && left >= 0 ? { limit, left } : null;
}
