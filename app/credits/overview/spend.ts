/** The data of the overview's charts, by UTC day. */

/** Credits spent on mail in one day. */
export interface SpendDay {
  /** `2026-11-21` */
  day: string;
  letters: number;
  postcards: number;
}

/** A user's balance at the start and end of a day on which it changed. */
export interface BalanceDay {
  day: string;
  before: number;
  after: number;
}

/**
 * The balance at the end of each day; a day without a change has that of the day before.
 * @param changes in the order of days
 * @param balance today's, for a user without any change
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
