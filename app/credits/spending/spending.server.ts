import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import type { Db } from "~/platform/database/client";
import { readFromReplica, withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseInput, selectFilled } from "~/platform/input.server";
import { type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { Prisma } from "../../../prisma/client/client";
import { type Charge, CreditQueue } from "../ledger/paid-with.server";
import { formatBadFilter } from "../messages";
import { countDigits } from "../purchases/format-money";
import type { SpendDay } from "./spend-per-day.server";
import { addMonths, type BoughtCell, listMonths, monthOf, type SpentCell } from "./spent";

const month = z
  .string()
  .regex(/^(?:19[89]\d|20\d\d)-(?:0[1-9]|1[0-2])$/, "must be a month (YYYY-MM) between 1980 and 2099");
const query = z
  .object({ month: month.optional(), until: month.optional(), user_id: userId.optional() })
  .transform(({ month = null, until = null, user_id = null }) => ({ month, until, userId: user_id }));

/** The month shown by person and kind, the last month of the list, and whose mail. */
type SpendingQuery = z.infer<typeof query>;

/** Parses the parameters of an address; empty ones count as absent. */
export function parseSpendingQuery(parameters: URLSearchParams): Outcome<SpendingQuery> {
  return parseInput(query, selectFilled(parameters), formatBadFilter);
}

const LISTED_MONTHS = 12;

export type Spending = ValueOf<typeof loadSpending>;

/** Loads a year's months of spending, one of them by day. Fails as the database does. */
export async function loadSpending(query: SpendingQuery, now: Date) {
  const month = query.month ?? query.until ?? monthOf(now);
  const latest = query.until ?? (month > monthOf(now) ? month : monthOf(now));
  // The chosen month is always in the list.
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
  // Purchases in several currencies have no sum.
  const [currency = null] = currencies.size === 1 ? currencies : [];
  return succeed({
    ...rest,
    bought,
    /** The latest first; none before the first live mail. */
    months,
    /** True when there was live mail before these. */
    hasEarlier: firstMonth !== null && firstMonth < first,
    /** The month shown in detail. */
    month,
    terms: { currency, providerCurrency },
  });
}

/**
 * The cells of earlier loads. A charge's worth never changes and no piece leaves its month, so that a cell with the same counts still holds;
 * most months are therefore priced once by each process.
 */
const priced = new Map<string, SpentCell>();

/**
 * Selects live mail between two months, by month, person and kind; a piece belongs to the month in which it was sent. Counts and the provider's
 * prices come from the items by a covering index, credits and their worth from the ledger.
 * @param months first and last, both included
 * @param minorPerUnit smallest units in one unit of the provider's currency
 */
async function selectSpent(
  db: Db,
  months: { first: string; last: string },
  userId: string | null,
  minorPerUnit: number,
): Promise<SpentCell[]> {
  const counted = await db.$queryRaw<CountedCell[]>`
    SELECT to_char(${MONTH}, 'YYYY-MM') AS month, user_id AS "userId", type AS kind, count(*)::int AS pieces,
      (count(*) FILTER (WHERE is_cancelled))::int AS cancelled,
      (count(*) FILTER (WHERE NOT is_cancelled AND provider_cost IS NULL))::int AS unpriced,
      coalesce(round(sum(provider_cost) FILTER (WHERE NOT is_cancelled) * ${minorPerUnit}::int), 0)::float8 AS cost
    FROM mail_items s WHERE NOT test AND ${isWithin(months, userId)}
    GROUP BY ${MONTH}, 2, 3`;
  const changed = counted.filter((cell) => {
    const known = priced.get(keyOf(cell));
    return !known || COUNTS.some((name) => known[name] !== cell[name]);
  });
  if (changed.length > 0) await priceCells(db, changed, userId);
  return counted.flatMap((cell) => priced.get(keyOf(cell)) ?? []);
}

/** Stores the credits and the worth of these cells in {@link priced}. */
async function priceCells(db: Db, counted: readonly CountedCell[], userId: string | null): Promise<void> {
  const cells = new Map(
    counted.map((cell) => [
      keyOf(cell),
      { ...cell, credits: 0, worth: 0, exact: 0, byHand: 0, margin: 0 - cell.cost },
    ]),
  );
  const [first = "", ...later] = counted.map(({ month }) => month).sort();
  const queues = await loadQueues(db, userId);
  for (const charges of await selectCharges(db, { first, last: later.at(-1) ?? first }, userId)) {
    const cell = cells.get(keyOf(charges));
    const queue = queues.get(charges.userId);
    if (!cell || !queue) continue;
    cell.credits += charges.credits * charges.ledgerIds.length;
    for (const [index, ledgerId] of charges.ledgerIds.entries()) {
      const balanceBefore = charges.balances[index] ?? 0;
      const paid = queue.worthOf({ ledgerId, balanceBefore, credits: charges.credits });
      cell.worth += paid.worth;
      cell.exact += paid.exact;
      cell.byHand += paid.byHand;
      if (charges.hasPrice) cell.margin += paid.worth;
    }
  }
  for (const [key, cell] of cells) priced.set(key, cell);
}

/** Selects the ledger rows of charges that were not refunded, grouped by the cell in which they count. */
function selectCharges(db: Db, months: { first: string; last: string }, userId: string | null) {
  return db.$queryRaw<
    (Pick<SpentCell, "month" | "userId" | "kind" | "credits"> & {
      hasPrice: boolean;
      ledgerIds: number[];
      balances: number[];
    })[]
  >`
    SELECT to_char(${MONTH}, 'YYYY-MM') AS month, s.user_id AS "userId", s.type AS kind, d.amount AS credits,
      s.provider_cost IS NOT NULL AS "hasPrice", array_agg(d.id::float8) AS "ledgerIds",
      array_agg(d.balance_before) AS balances
    FROM mail_items s JOIN credit_transactions d ON d.cause = 'send' AND d.cause_key = s.send_id
    WHERE NOT s.test AND NOT s.is_cancelled AND ${isWithin(months, userId)}
    GROUP BY ${MONTH}, 2, 3, 4, 5`;
}

/** Loads the queue of credits of each account, from its first row. `LIMIT` makes PostgreSQL find each refunded charge by its key. */
async function loadQueues(db: Db, userId: string | null): Promise<Map<string, CreditQueue>> {
  const rows = await db.$queryRaw<
    {
      userId: string;
      ledgerId: number;
      credits: number;
      amountCents: number | null;
      refunded: Charge | null;
    }[]
  >`
    SELECT s.user_id AS "userId", s.id::float8 AS "ledgerId", s.amount AS credits, c.amount_cents AS "amountCents",
      CASE WHEN d.id IS NOT NULL
        THEN json_build_object('ledgerId', d.id, 'balanceBefore', d.balance_before, 'credits', s.amount) END AS refunded
    FROM credit_transactions s LEFT JOIN checkout_sessions c ON s.cause = 'checkout' AND c.id = s.cause_key
      LEFT JOIN LATERAL (SELECT * FROM credit_transactions
        WHERE s.cause = 'refund' AND cause = 'send' AND cause_key = s.cause_key LIMIT 1) d ON true
    WHERE s.transaction_type IN ('credit', 'purchase', 'refund') AND ${isOf(userId)} ORDER BY s.id`;
  const queues = new Map<string, CreditQueue>();
  for (const { userId: owner, ledgerId, credits, amountCents, refunded } of rows) {
    const queue = queues.get(owner) ?? new CreditQueue();
    queues.set(owner, queue);
    if (refunded) queue.add(ledgerId, credits, { refunded });
    else queue.add(ledgerId, credits, amountCents === null ? null : { purchase: { amountCents, credits } });
  }
  return queues;
}

/** Selects the month of the first live mail; null when there is none. */
async function selectFirstMonth(db: Db, userId: string | null): Promise<string | null> {
  const [row] = await db.$queryRaw<{ month: string | null }[]>`
    SELECT to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM mail_items s
    WHERE NOT test AND ${isOf(userId)}`;
  return row?.month ?? null;
}

/** Selects paid purchases until the end of a month, by month and person. */
function selectBought(db: Db, last: string, userId: string | null): Promise<BoughtCell[]> {
  return db.$queryRaw<BoughtCell[]>`
    SELECT to_char(closed_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, user_id AS "userId", currency,
      sum(amount_cents)::float8 AS "minorUnits", sum(credits)::int AS credits
    FROM checkout_sessions s WHERE state = 'completed' AND closed_at < ${endOf(last)}::timestamptz
      AND ${isOf(userId)}
    GROUP BY 1, 2, 3`;
}

/** Selects the credits of pieces sent on each day of a month, without refunds. */
function selectDays(db: Db, month: string, userId: string | null) {
  return db.$queryRaw<SpendDay[]>`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      coalesce(sum(charged) FILTER (WHERE mail_type = 'letter'), 0)::int AS letters,
      coalesce(sum(charged) FILTER (WHERE mail_type = 'postcard'), 0)::int AS postcards
    FROM sends s WHERE state IN ('accepted', 'cancelling')
      AND ${isWithin({ first: month, last: month }, userId)}
    GROUP BY 1`;
}

const COUNTS = ["pieces", "cancelled", "unpriced", "cost"] as const;
type CountedCell = Pick<SpentCell, "month" | "userId" | "kind" | (typeof COUNTS)[number]>;

const MONTH = Prisma.sql`date_trunc('month', s.created_at AT TIME ZONE 'UTC')`;

function keyOf({ month, userId, kind }: Pick<SpentCell, "month" | "userId" | "kind">): string {
  return JSON.stringify([month, userId, kind]);
}

function isWithin({ first, last }: { first: string; last: string }, userId: string | null): Prisma.Sql {
  return Prisma.sql`s.created_at >= ${`${first}-01T00:00:00Z`}::timestamptz AND s.created_at < ${endOf(last)}::timestamptz AND ${isOf(userId)}`;
}

function isOf(userId: string | null): Prisma.Sql {
  return userId === null ? Prisma.sql`TRUE` : Prisma.sql`s.user_id = ${userId}`;
}

function endOf(month: string): string {
  return `${addMonths(month, 1)}-01T00:00:00Z`;
}

/** Loads the live mail that a user paid for since the first of the month (UTC), without refunded pieces. */
export function loadMonthSpending(userId: string, now: Date) {
  const since = new Date(`${monthOf(now)}-01T00:00:00Z`);
  return withDatabase(async (db) => {
    const [row] = await db.$queryRaw<{ pieces: number; credits: number }[]>`
      SELECT count(*)::int AS pieces, coalesce(sum(d.amount), 0)::int AS credits
      FROM credit_transactions d
      WHERE d.user_id = ${userId} AND d.created_at >= ${since}::timestamptz
        AND d.cause = 'send' AND d.transaction_type = 'debit'
        AND NOT EXISTS (SELECT 1 FROM credit_transactions r
          WHERE r.reference_response_id = d.reference_response_id AND r.cause = 'refund')`;
    return row ?? { pieces: 0, credits: 0 };
  });
}
