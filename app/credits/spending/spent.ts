import { MAIL_PRICES } from "~/catalogue/prices";

/** Computes the cost of mail by month, person and kind. Months are UTC, written `2026-10`. */

export type MailKind = keyof typeof MAIL_PRICES;
export const MAIL_KINDS = Object.keys(MAIL_PRICES) as MailKind[];

/** A ten-thousandth of the provider's currency: its prices have up to four decimals. */
export const COST_UNITS = 10_000;

/** Live mail of one month, person and kind, as the tables have it. */
export interface SpentCell {
  month: string;
  userId: string;
  kind: MailKind;
  /** Mailed, cancelled ones among them. */
  pieces: number;
  cancelled: number;
  /** Without what was refunded. */
  credits: number;
  /** The provider's prices of what was not cancelled, in {@link COST_UNITS}. */
  costUnits: number;
  /** Pieces that were not cancelled and whose price is not known. */
  unpriced: number;
}

/** Purchases of one person that were paid in one month. */
export interface BoughtCell {
  month: string;
  userId: string;
  currency: string;
  minorUnits: number;
  credits: number;
}

/** Totals of some cells. What is not known is null, never zero. */
export interface SpentTotals {
  pieces: number;
  cancelled: number;
  credits: number;
  costUnits: number;
  unpriced: number;
  /** The price paid for the credits, in the smallest unit of their currency. */
  worth: number | null;
  /** `worth` less the provider's cost, in the same unit; null while either is not known, or in another currency. */
  margin: number | null;
}

/** The price of one credit of a person at the end of a month. */
export interface CreditPrice {
  /** Smallest units for one credit. */
  perCredit: number;
  currency: string;
}

/**
 * Computes the price of a credit for each person at the end of a month: the sum of their purchases by the credits they brought.
 * Credits added by hand have no price. Nothing for a person without purchases, or with purchases in two currencies.
 */
export function findPrices(bought: readonly BoughtCell[], month: string): Map<string, CreditPrice> {
  const sums = new Map<string, { minorUnits: number; credits: number; currency: string; mixed: boolean }>();
  for (const cell of bought) {
    if (cell.month > month) continue;
    const sum = sums.get(cell.userId);
    if (sum) {
      sum.minorUnits += cell.minorUnits;
      sum.credits += cell.credits;
      sum.mixed ||= sum.currency !== cell.currency;
    } else sums.set(cell.userId, { ...cell, mixed: false });
  }
  const prices = new Map<string, CreditPrice>();
  for (const [userId, { minorUnits, credits, currency, mixed }] of sums) {
    if (!mixed && credits > 0) prices.set(userId, { perCredit: minorUnits / credits, currency });
  }
  return prices;
}

/** How the provider's prices compare with the credits'. */
export interface MoneyTerms {
  /** Of the credits; null while nothing was bought. */
  currency: string | null;
  /** Smallest units in one unit of it: 100 for dollars. */
  minorPerUnit: number;
  /** Of the provider's prices; null: not known. */
  providerCurrency: string | null;
}

/** Adds cells up. @param priceOf the price of a person's credits in a month */
export function sumSpent(
  cells: readonly SpentCell[],
  priceOf: (cell: SpentCell) => CreditPrice | null,
  terms: MoneyTerms,
): SpentTotals {
  const total = { pieces: 0, cancelled: 0, credits: 0, costUnits: 0, unpriced: 0 };
  let worth: number | null = 0;
  for (const cell of cells) {
    for (const name of ["pieces", "cancelled", "credits", "costUnits", "unpriced"] as const) {
      total[name] += cell[name];
    }
    if (cell.credits === 0) continue;
    const price = priceOf(cell);
    const known = price !== null && price.currency === terms.currency;
    worth = known && worth !== null ? worth + cell.credits * price.perCredit : null;
  }
  const cost = (total.costUnits / COST_UNITS) * terms.minorPerUnit;
  const comparable =
    total.unpriced === 0 && terms.currency !== null && terms.providerCurrency === terms.currency;
  return { ...total, worth, margin: worth !== null && comparable ? worth - cost : null };
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
