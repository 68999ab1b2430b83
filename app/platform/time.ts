/** Durations in milliseconds, and UTC days, written `2026-11-21`. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** @param at a time, or milliseconds since 1970 */
export function formatIsoDay(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Lists the last `count` days, oldest first, up to the day of `now`. */
export function listDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    formatIsoDay(now.getTime() - (count - 1 - index) * DAY_MS),
  );
}

/** Days for which a browser keeps drafts and its history: they hold names and addresses. */
const DRAFT_DAYS = 30;

/** True for a draft or history entry that this browser no longer keeps. */
export function isTooOld(savedAt: number, now: number): boolean {
  return now - savedAt > DRAFT_DAYS * DAY_MS;
}
