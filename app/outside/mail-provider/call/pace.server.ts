import { findBaseOf } from "./address.server";
import { parseResetSeconds, parseWaitSeconds } from "./rate-limit";

/** The rate limit of an account, from the provider's last answer. */
export interface Rate {
  /** Calls in a minute. */
  limit: number;
  /** Calls that are left in this one. */
  left: number;
}

/** How a base URL takes calls, as far as this process knows. Times are of `performance.now()`: a machine's clock may be set back. */
interface Pace {
  rate: (Rate & { until: number }) | null;
  /** Calls in a row without an answer. */
  failures: number;
  /** The end of a used-up rate limit. */
  restUntil: number;
}

/** Calls in a row without an answer after which a base URL counts as down. */
const FAILURES_TO_SLOW_DOWN = 5;
const TOO_MANY_REQUESTS = 429;

const paces = new Map<string, Pace>();

/** Keeps what a call says about the pace of its base URL. @param answer null: none came; its headers have lower-case names */
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

/** Null when nothing is known of this minute. */
export function findRate(baseUrl: string, now = performance.now()): Rate | null {
  const rate = paces.get(baseUrl)?.rate;
  return rate && now < rate.until ? { limit: rate.limit, left: rate.left } : null;
}

/**
 * How many of `wanted` background calls a base URL may get now. One whose rate limit is used up gets none until it ends. One
 * that does not answer gets one at a time until it does, so that its pieces do not wait for nothing and nothing else waits for them.
 */
export function findRoom(baseUrl: string, wanted: number, now = performance.now()): number {
  const { failures, restUntil } = paces.get(baseUrl) ?? { failures: 0, restUntil: 0 };
  if (now < restUntil) return 0;
  return failures >= FAILURES_TO_SLOW_DOWN ? Math.min(1, wanted) : wanted;
}

/** Forgets what every base URL did, so that a test does not wait for the test before it. */
export function resetPaces(): void {
  paces.clear();
}

function parseRate(headers: Readonly<Record<string, string>>): Rate | null {
  const limit = Number.parseInt(headers["x-ratelimit-limit"] ?? "", 10);
  const left = Number.parseInt(headers["x-ratelimit-remaining"] ?? "", 10);
  // A missing number is NaN, which is not greater than anything.
  return limit > 0 && left >= 0 ? { limit, left } : null;
}
