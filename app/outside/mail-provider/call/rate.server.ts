import { findBaseOf } from "./address.server";
import { parseResetSeconds } from "./rate-limit";

/** The rate limit as the provider's last answer told it, kept while the process lives. */
export interface Rate {
  /** Calls in a minute. */
  limit: number;
  /** Calls that are left in this one. */
  left: number;
}

const seen = new Map<string, Rate & { until: number }>();

/** Keeps what an answer says of it. @param headers with lower-case names */
export function noteRate(url: string, headers: Readonly<Record<string, string>>, now = Date.now()): void {
  const base = findBaseOf(url);
  const [limit, left] = ["limit", "remaining"].map((name) =>
    Number.parseInt(headers[`x-ratelimit-${name}`] ?? "", 10),
  );
  const resetSeconds = parseResetSeconds(headers, now);
  // What is missing or no number is no more than or equal to anything.
  if (!base || !(limit !== undefined && limit > 0) || !(left !== undefined && left >= 0)) return;
  if (resetSeconds === null) return;
  seen.set(base.url, { limit, left, until: now + resetSeconds * 1000 });
}

/** Of the account behind a base URL; null when nothing is known of this minute. */
export function findRate(baseUrl: string, now = Date.now()): Rate | null {
  const rate = seen.get(baseUrl);
  return rate && now < rate.until ? { limit: rate.limit, left: rate.left } : null;
}
