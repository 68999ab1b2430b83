import { readFromReplica, withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { countDigits } from "../purchases/format-money";
import type { SpendingQuery } from "./spending.schema.server";
import { selectBought, selectDays, selectFirstMonth, selectSpent } from "./spending.server";
import {
  addMonths,
  type BoughtCell,
  listMonths,
  type MailKind,
  type MoneyTerms,
  monthOf,
  type SpentCell,
} from "./spent";

const LISTED_MONTHS = 12;

/** The spending of the listed months. */
export interface Spending {
  /** The latest first; none from before the first live mail. */
  months: string[];
  /** True when there was live mail before these. */
  hasEarlier: boolean;
  /** The one to be shown in detail. */
  month: string;
  cells: SpentCell[];
  bought: BoughtCell[];
  days: { day: string; kind: MailKind; credits: number }[];
  terms: MoneyTerms;
}

/** Loads a year of spending, and the days of one month. Fails as the database does. */
export async function loadSpending(query: SpendingQuery, now: Date): Promise<Outcome<Spending>> {
  const month = query.month ?? monthOf(now);
  const latest = query.until ?? (month > monthOf(now) ? month : monthOf(now));
  // The chosen month is always among those that are listed.
  const last = month > latest || month <= addMonths(latest, -LISTED_MONTHS) ? month : latest;
  const year = listMonths(last, LISTED_MONTHS);
  const first = year.at(-1) ?? last;
  const { providerCurrency } = env();
  const minorPerUnit = 10 ** (providerCurrency === null ? 2 : countDigits(providerCurrency));
  const loaded = await readFromReplica(() =>
    withDatabase(async (db) => ({
      firstMonth: await selectFirstMonth(db, query.userId),
      cells: await selectSpent(db, { first, last }, query.userId, minorPerUnit),
      bought: await selectBought(db, last, query.userId),
      days: await selectDays(db, month, query.userId),
    })),
  );
  if (!loaded.ok) return loaded;
  const { bought, firstMonth, ...rest } = loaded.value;
  const currencies = new Set(bought.map(({ currency }) => currency));
  const months = year.filter((one) => one >= month || (firstMonth !== null && one >= firstMonth));
  return succeed({
    ...rest,
    bought,
    months,
    hasEarlier: firstMonth !== null && firstMonth < first,
    month,
    // Purchases in several currencies have no sum.
    terms: { currency: currencies.size === 1 ? ([...currencies][0] ?? null) : null, providerCurrency },
  });
}
