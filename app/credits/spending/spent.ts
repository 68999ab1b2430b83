import { MAIL_PRICES } from "~/catalogue/prices";

/** Computes the cost of mail by month, person and kind. Months are UTC, written `2026-10`. */

export type MailKind = keyof typeof MAIL_PRICES;
export const MAIL_KINDS = Object.keys(MAIL_PRICES) as MailKind[];

/** Live mail of one month, person and kind. Money is in the smallest unit of its currency. */
export interface SpentCell extends SpentTotals {
  month: string;
  userId: string;
  kind: MailKind;
}

/** Sums of some live mail. */
export interface SpentTotals {
  /** Mailed, cancelled ones among them. */
  pieces: number;
  cancelled: number;
  /** Without what was refunded. */
  credits: number;
  /** Those of them that were added by hand, which have no price. */
  given: number;
  /** The price paid for the others. */
  worth: number;
  /** The same before each credit's price was rounded. */
  exact: number;
  /** The provider's prices of what was not cancelled, without those that are not known. */
  cost: number;
  /** Pieces that were not cancelled and whose price is not known. */
  unpriced: number;
  /** `worth` less `cost` of the pieces whose price is known. */
  margin: number;
}

/** Purchases of one person that were paid in one month. */
export interface BoughtCell {
  month: string;
  userId: string;
  currency: string;
  minorUnits: number;
  credits: number;
}

/** Adds cells up. */
export function sumSpent(cells: readonly SpentTotals[]): SpentTotals {
  const total: SpentTotals = {
    pieces: 0,
    cancelled: 0,
    credits: 0,
    given: 0,
    worth: 0,
    exact: 0,
    cost: 0,
    unpriced: 0,
    margin: 0,
  };
  for (const cell of cells) {
    for (const name of Object.keys(total) as (keyof SpentTotals)[]) total[name] += cell[name];
  }
  return total;
}

/** The currencies of the amounts; null where one is not known. */
export interface MoneyTerms {
  /** What credits were bought with; null where nothing was bought, or in several currencies. */
  currency: string | null;
  /** The provider's. */
  providerCurrency: string | null;
}

/** A line's money; null where it is not known. */
export interface SpentMoney {
  /** Of one credit that was bought, in fractions of the smallest unit. */
  perCredit: number | null;
  worth: number | null;
  cost: number | null;
  margin: number | null;
}

/** The money of some totals. What is not known of them is null, never zero. */
export function findMoney(totals: SpentTotals, { currency, providerCurrency }: MoneyTerms): SpentMoney {
  const { pieces, cancelled, unpriced, credits, given, worth, exact, cost, margin } = totals;
  const bought = credits - given;
  const hasCost = unpriced === 0 || unpriced < pieces - cancelled;
  const comparable = currency !== null && currency === providerCurrency;
  return {
    perCredit: currency === null || bought === 0 ? null : exact / bought,
    worth: currency === null ? null : worth,
    cost: hasCost ? cost : null,
    margin: hasCost && comparable ? margin : null,
  };
}

/** The month of a time. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Adds months to a month; subtracts when negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)));
}

/** `count` months, the latest first, which is `last`. */
export function listMonths(last: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addMonths(last, -index));
}

/** The first day of a month, and its last one. */
export function daysOf(month: string): { from: string; to: string } {
  const next = new Date(`${addMonths(month, 1)}-01T00:00:00Z`);
  return { from: `${month}-01`, to: new Date(next.getTime() - 1).toISOString().slice(0, 10) };
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** "October 2026" */
export function formatMonth(month: string): string {
  return monthFormat.format(new Date(`${month}-01T00:00:00Z`));
}
