import type { MAIL_PRICES } from "~/catalogue/prices";

type MailKind = keyof typeof MAIL_PRICES;

/** Live mail of one month (UTC, `2026-10`), person and kind. Money is in the smallest unit of its currency. */
export interface SpentCell extends SpentTotals {
  month: string;
  userId: string;
  kind: MailKind;
}

export interface BoughtCell {
  month: string;
  userId: string;
  currency: string;
  minorUnits: number;
  credits: number;
}

const NOTHING = {
  /** Mailed pieces, also cancelled ones. */
  pieces: 0,
  cancelled: 0,
  /** Credits after refunds. */
  credits: 0,
  /** Credits added by hand, which have no price. */
  byHand: 0,
  /** Price paid for the other credits. */
  worth: 0,
  /** The same before each credit's price was rounded. */
  exact: 0,
  /** The provider's known prices of pieces that were not cancelled. */
  cost: 0,
  /** Pieces that were not cancelled and whose price is not known. */
  unpriced: 0,
  /** `worth` less `cost` of the pieces whose price is known. */
  margin: 0,
};

export type SpentTotals = typeof NOTHING;

export function sumSpent(cells: readonly SpentTotals[]): SpentTotals {
  const total = { ...NOTHING };
  for (const cell of cells) {
    for (const name of Object.keys(total) as (keyof SpentTotals)[]) total[name] += cell[name];
  }
  return total;
}

export interface MoneyTerms {
  /** Currency of purchases; null when nothing was bought, or in several currencies. */
  currency: string | null;
  /** Null when it is not configured. */
  providerCurrency: string | null;
}

/** Money of a line; null when it is not known. */
export type SpentMoney = ReturnType<typeof findMoney>;

/** Computes the money of totals. An unknown figure is null, never zero. */
export function findMoney(totals: SpentTotals, { currency, providerCurrency }: MoneyTerms) {
  const { pieces, cancelled, unpriced, credits, byHand, worth, exact, cost, margin } = totals;
  const bought = credits - byHand;
  const hasCost = unpriced === 0 || unpriced < pieces - cancelled;
  const comparable = currency !== null && currency === providerCurrency;
  return {
    /** Price of one bought credit, in fractions of the smallest unit. */
    perCredit: currency === null || bought === 0 ? null : exact / bought,
    worth: currency === null ? null : worth,
    cost: hasCost ? cost : null,
    margin: hasCost && comparable ? margin : null,
  };
}

export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Adds months to a month; subtracts when negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)));
}

/** Lists `count` months, the latest first. */
export function listMonths(last: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addMonths(last, -index));
}

/** Returns the first and the last day of a month. */
export function daysOf(month: string): { from: string; to: string } {
  const next = new Date(`${addMonths(month, 1)}-01T00:00:00Z`);
  return { from: `${month}-01`, to: new Date(next.getTime() - 1).toISOString().slice(0, 10) };
}
