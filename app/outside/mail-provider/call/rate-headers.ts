/** Headers of an answer, with lower-case names. */
type Headers = Readonly<Record<string, string>>;

/** Rate limit of an account, from the provider's last answer. */
export interface Rate {
  /** Calls per minute. */
  limit: number;
  /** Remaining calls of this minute. */
  left: number;
}

const DEFAULT_WAIT_SECONDS = 60;
/** Longer waits are a mistake, because the provider counts by the minute. */
const MAX_WAIT_SECONDS = 300;
/** Larger numbers are times: the clock has passed this number of seconds in 2001, and 31 years are no wait. */
export const FIRST_EPOCH_SECONDS = 1_000_000_000;
export const FIRST_EPOCH_MS = FIRST_EPOCH_SECONDS * 1_000;

/**
 * Parses the seconds, 1 to 300, until the provider's rate limit is reset, from `X-RateLimit-Reset`, else from `Retry-After`.
 * Either may be a number of seconds or a time (seconds or ms since 1970, `Retry-After` also a date). Null when neither can be
 * read.
 */
export function parseResetSeconds(headers: Headers, now = Date.now()): number | null {
  const seconds = parseWait(headers["x-ratelimit-reset"], now) ?? parseWait(headers["retry-after"], now);
  // "0" means that the current second is nearly over.
  return seconds === null ? null : Math.min(Math.max(1, seconds), MAX_WAIT_SECONDS);
}

/** Parses the wait as {@link parseResetSeconds} does; a minute when unknown. */
export function parseWaitSeconds(headers: Headers, now = Date.now()): number {
  return parseResetSeconds(headers, now) ?? DEFAULT_WAIT_SECONDS;
}

/** Parses the remaining calls of the current minute; null when unknown. */
export function parseCallsLeft(headers: Headers): number | null {
  const calls = Number.parseInt(headers["x-ratelimit-remaining"] ?? "", 10);
  return Number.isNaN(calls) ? null : calls;
}

/** Parses the rate limit; null when unknown. */
export function parseRate(headers: Headers): Rate | null {
  const limit = Number.parseInt(headers["x-ratelimit-limit"] ?? "", 10);
  const left = parseCallsLeft(headers);
  // A missing number is NaN, which is not greater than anything.
  return limit > 0 && left !== null && left >= 0 ? { limit, left } : null;
}

function parseWait(text: string | undefined, now: number): number | null {
  const value = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number < FIRST_EPOCH_SECONDS) return Math.ceil(number);
    return Math.ceil(((number < FIRST_EPOCH_MS ? number * 1_000 : number) - now) / 1_000);
  }
  const date = /^[A-Za-z]{3},/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.ceil((date - now) / 1_000);
}
