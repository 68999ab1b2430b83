/** What the charts of the overview show, by UTC days. */

const DAY_MS = 86_400_000;

/** Credits spent on mail in one day. */
export interface SpendDay {
  /** `2026-11-21` */
  day: string;
  letters: number;
  postcards: number;
}

/** The last `count` days as `2026-11-21`, today last. */
export function listDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A user's balance at the start and end of a day on which it changed. */
export interface BalanceDay {
  day: string;
  before: number;
  after: number;
}

/**
 * A balance at the end of each day, carried over the days on which nothing happened.
 * @param changes in the order of days
 * @param balance the present one, for who had no change at all
 */
export function carryForward(
  days: readonly string[],
  changes: readonly BalanceDay[],
  balance: number,
): number[] {
  const byDay = new Map(changes.map((change) => [change.day, change.after]));
  let current = changes[0]?.before ?? balance;
  return days.map((day) => {
    current = byDay.get(day) ?? current;
    return current;
  });
}
