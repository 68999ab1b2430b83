type Headers = Readonly<Record<string, string>>;

const DEFAULT_WAIT_SECONDS = 60;

/**
 * Seconds until the provider's rate limit starts anew, at least 1: from `X-RateLimit-Reset`, else `Retry-After`. Null
 * when neither is a number. Names of headers are in lower case.
 */
export function parseResetSeconds(headers: Headers): number | null {
  const seconds = Number.parseInt(headers["x-ratelimit-reset"] ?? headers["retry-after"] ?? "", 10);
  // "0" means that the current second is nearly over, not that one may call at once.
  return Number.isNaN(seconds) || seconds < 0 ? null : Math.max(1, seconds);
}

/** The same, and a minute when the answer does not say. */
export function parseWaitSeconds(headers: Headers): number {
  return parseResetSeconds(headers) ?? DEFAULT_WAIT_SECONDS;
}

/** Calls left in the current minute; null when the answer does not say. */
export function parseCallsLeft(headers: Headers): number | null {
  const calls = Number.parseInt(headers["x-ratelimit-remaining"] ?? "", 10);
  return Number.isNaN(calls) ? null : calls;
}
