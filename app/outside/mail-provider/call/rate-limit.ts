type Headers = Readonly<Record<string, string>>;

const DEFAULT_WAIT_SECONDS = 60;
/** The provider counts by the minute. What asks for more is a mistake, and nothing may wait for it. */
const MAX_WAIT_SECONDS = 300;
/** Larger numbers are moments: 31 years are no wait, and the clock has said more seconds than this since 2001. */
const FIRST_EPOCH_SECONDS = 1_000_000_000;
const FIRST_EPOCH_MS = FIRST_EPOCH_SECONDS * 1_000;

/**
 * Seconds until the provider's rate limit starts again, from 1 to 300: by `X-RateLimit-Reset`, else by `Retry-After`. Either may
 * be a number of seconds or a moment (in seconds or ms since 1970, `Retry-After` also as a date). Null when
 * neither can be read. Names of headers are in lower case.
 */
export function parseResetSeconds(headers: Headers, now = Date.now()): number | null {
  const seconds = parseWait(headers["x-ratelimit-reset"], now) ?? parseWait(headers["retry-after"], now);
  // "0" means that the current second is nearly over, not that one may call at once.
  return seconds === null ? null : Math.min(Math.max(1, seconds), MAX_WAIT_SECONDS);
}

/** The same, and a minute when the answer does not say. */
export function parseWaitSeconds(headers: Headers, now = Date.now()): number {
  return parseResetSeconds(headers, now) ?? DEFAULT_WAIT_SECONDS;
}

/** Calls left in the current minute; null when the answer does not say. */
export function parseCallsLeft(headers: Headers): number | null {
  const calls = Number.parseInt(headers["x-ratelimit-remaining"] ?? "", 10);
  return Number.isNaN(calls) ? null : calls;
}

function parseWait(text: string | undefined, now: number): number | null {
  const given = text?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(given)) {
    const number = Number(given);
    if (number < FIRST_EPOCH_SECONDS) return Math.ceil(number);
    return toSeconds((number < FIRST_EPOCH_MS ? number * 1_000 : number) - now);
  }
  const date = /^[A-Za-z]{3},/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : toSeconds(date - now);
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
