import { NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { env } from "~/platform/env.server";
import { streamColumns } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { loadBatches } from "~/platform/page-cursor";
import { formatMoment } from "~/ui/moment";
import { Prisma } from "../../../prisma/client/client";
import { type CreditTransaction, formatActor, formatChange, purchaseAddress } from "../ledger/transaction";
import { writeMoney } from "../purchases/format-money";
import type { TransactionFilter, TransactionQuery } from "./transactions.schema.server";

const PAGE_ROWS = 50;
const BATCH_ROWS = 1_000;
/** Ids and times may be in another order for rows written at the same moment, which are far fewer than this. */
const DISORDER_ROWS = 5_000;

/** Lists transactions, newest first, 50 a page. A text is searched by index; in old rows of pieces a part of an id is not found. */
export async function listTransactions({ filter, cursor }: TransactionQuery) {
  const read = await loadBatch({ filter, before: cursor, limit: PAGE_ROWS + 1, byIndex: true });
  if (!read.ok) return read;
  const transactions = read.value.slice(0, PAGE_ROWS);
  const last = transactions.at(-1);
  // The cursor of the older page; null on the last one.
  const nextCursor = last && read.value.length > PAGE_ROWS ? String(last.id) : null;
  return succeed({ transactions, nextCursor });
}

interface Batch {
  filter: TransactionFilter;
  before: number | bigint | null;
  limit: number;
  /** True to search a text by index, as for a page; else in all rows. */
  byIndex: boolean;
}

function loadBatch(batch: Batch): Promise<Outcome<CreditTransaction[]>> {
  const { userId } = batch.filter;
  return withDatabase(async (db) => {
    if (userId !== undefined && !(await userExists(db, userId))) return NO_SUCH_USER;
    const rows = await loadRows(db, batch);
    return rows.map((row) => ({ ...row, actorName: formatActor(row.actorId, row.actorName) }));
  });
}

type Row = Omit<CreditTransaction, "actorName"> & { actorName: string | null };

function loadRows(db: Db, { filter, before, limit, byIndex }: Batch): Promise<Row[]> {
  const bounds = boundIds(filter, before);
  // Orders by the ids of the user's rows, which an index has in order: otherwise PostgreSQL may read the rows of all users.
  const own = Prisma.sql`SELECT id FROM credit_transactions WHERE user_id = ${filter.userId ?? null}`;
  const rows =
    filter.userId === undefined
      ? Prisma.sql`credit_transactions t`
      : Prisma.sql`(${Prisma.join([own, ...bounds], " AND ")} ORDER BY id DESC OFFSET 0) own
          JOIN credit_transactions t ON t.id = own.id`;
  const conditions = [Prisma.sql`TRUE`, ...bounds.map((bound) => Prisma.sql`t.${bound}`)];
  if (filter.type) conditions.push(Prisma.sql`t.transaction_type = ${filter.type}`);
  if (filter.cause) conditions.push(Prisma.sql`t.cause = ${filter.cause}`);
  if (filter.from) conditions.push(Prisma.sql`t.created_at >= ${filter.from}::timestamptz`);
  if (filter.to) conditions.push(Prisma.sql`t.created_at < ${filter.to}::timestamptz`);
  if (filter.text !== undefined) {
    const words = filter.text.trim().toLowerCase();
    const isCommon = PIECE_TEXTS.some((common) => common.includes(words));
    if (byIndex && !isCommon) conditions.push(mayHaveText(filter.text, rows, conditions));
    conditions.push(hasText(filter.text));
  }
  return db.$queryRaw<Row[]>`
    SELECT t.id::float8 AS id, t.user_id AS "userId", u.display_name AS "userName", t.transaction_type AS type, t.amount,
      t.balance_after AS "balanceAfter", t.description || coalesce(' (' || c.flag || ' at Stripe)', '') AS description,
      t.actor_id AS "actorId", a.display_name AS "actorName", t.reference_response_id AS reference,
      t.created_at AS "createdAt", i.provider_cost::text AS "providerCost",
      CASE WHEN c.id IS NOT NULL THEN json_build_object('checkoutId', c.id, 'amountCents', c.amount_cents,
        'currency', c.currency, 'stripeSessionId', c.stripe_session_id, 'stripePaymentId', c.stripe_payment_id,
        'invoiceNumber', c.invoice_number) END AS payment
    FROM ${rows} JOIN users u ON u.id = t.user_id LEFT JOIN users a ON a.id = split_part(t.actor_id, ' via ', 1)
      LEFT JOIN checkout_sessions c ON t.cause = 'checkout' AND c.id = t.cause_key
      LEFT JOIN mail_items i ON t.cause = 'send' AND i.id = t.cause_key
    WHERE ${Prisma.join(conditions, " AND ")}
    ORDER BY t.id DESC LIMIT ${limit}::int`;
}

/** Limits the ids by cursor and time: by time alone, PostgreSQL would read all newer rows before a month of last year. */
function boundIds({ from, to }: TransactionFilter, before: Batch["before"]): Prisma.Sql[] {
  const bounds = before === null ? [] : [Prisma.sql`id < ${before}::bigint`];
  if (from) {
    bounds.push(Prisma.sql`id >= (SELECT min(id) FROM (SELECT id FROM credit_transactions
      WHERE created_at >= ${from}::timestamptz ORDER BY created_at LIMIT ${DISORDER_ROWS}::int) first)`);
  }
  if (to) {
    bounds.push(Prisma.sql`id <= (SELECT max(id) FROM (SELECT id FROM credit_transactions
      WHERE created_at < ${to}::timestamptz ORDER BY created_at DESC LIMIT ${DISORDER_ROWS}::int) last)`);
  }
  return bounds;
}

/** Texts that every row of a piece has: a scan from the newest row finds enough of them soon. */
const PIECE_TEXTS = ["letter mailed", "letter cancelled", "postcard mailed", "postcard cancelled"];
const MAX_IDS = 5;

/** SQL condition: row `t` has the text in its description or reference. */
function hasText(text: string): Prisma.Sql {
  return Prisma.sql`
    strpos(lower(t.description || ' ' || coalesce(t.reference_response_id, '')), lower(${text})) > 0`;
}

/**
 * SQL condition on the ids `t` of rows that may have a text: among the newest rows of the filter any; among the others adjustments by an index
 * of their reasons, rows of a piece by its id or mail ID, and the few of other causes.
 * @param rows source of the filter's rows, as `t`
 * @param conditions the filter without the text
 */
function mayHaveText(text: string, rows: Prisma.Sql, conditions: readonly Prisma.Sql[]): Prisma.Sql {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const ids = text.split(/\s+/).filter((word) => /\d/.test(word));
  // An array, because PostgreSQL cannot estimate how rare a text is, and would read the whole ledger for it.
  return Prisma.sql`t.id = ANY (ARRAY(
    (SELECT t.id FROM ${rows} WHERE ${Prisma.join([...conditions], " AND ")}
      ORDER BY t.id DESC LIMIT ${NEWEST_ROWS}::int)
    UNION ALL
    SELECT a.id FROM credit_transactions a
    WHERE a.cause = 'adjustment' AND lower(a.description) LIKE lower(${pattern})
    UNION ALL
    SELECT o.id FROM credit_transactions o WHERE o.cause IN ('checkout', 'review', 'reservation', 'reservation_end')
    UNION ALL
    SELECT p.id FROM credit_transactions p WHERE p.reference_response_id IN (
      SELECT i.id FROM mail_items i WHERE i.provider_id = ANY(${ids.slice(0, MAX_IDS)}::text[])
      UNION ALL SELECT unnest(${ids.slice(0, MAX_IDS)}::text[]))
  ))`;
}

export type TransactionRow = ReturnType<typeof toTransactionRow>;

export function toTransactionRow(transaction: CreditTransaction, now: Date) {
  return {
    id: transaction.id,
    userId: transaction.userId,
    user: transaction.userName,
    type: transaction.type,
    change: formatChange(transaction),
    balanceAfter: transaction.balanceAfter,
    description: transaction.description,
    actor: transaction.actorName,
    reference: transaction.reference,
    purchaseTo: transaction.payment && purchaseAddress(transaction.payment.checkoutId),
    at: formatMoment(transaction.createdAt, now),
  };
}

const COLUMNS = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  user_id: ({ userId }) => userId,
  user: ({ userName }) => userName,
  transaction_type: ({ type }) => type,
  amount: ({ type, amount }) => (type === "debit" ? -amount : amount),
  balance_after: ({ balanceAfter }) => balanceAfter,
  description: ({ description }) => description,
  actor: ({ actorName }) => actorName,
  reference_response_id: ({ reference }) => reference,
  money: ({ payment }) => payment && Number(writeMoney(payment.amountCents, payment.currency)),
  currency: ({ payment }) => payment?.currency.toUpperCase() ?? null,
  provider_cost: ({ providerCost }) => (providerCost === null ? null : Number(providerCost)),
  provider_currency: ({ providerCost }) =>
    providerCost === null ? null : (env().providerCurrency?.toUpperCase() ?? null),
  purchase_id: ({ payment }) => payment?.checkoutId ?? null,
  stripe_session_id: ({ payment }) => payment?.stripeSessionId ?? null,
  stripe_payment_id: ({ payment }) => payment?.stripePaymentId ?? null,
  invoice_number: ({ payment }) => payment?.invoiceNumber ?? null,
} satisfies Record<string, (transaction: CreditTransaction) => string | number | Date | null>;

/**
 * Streams the transactions of a filter as CSV, newest first, without rows written during the download. Amounts are signed, so that those
 * of a user add up to the balance; money is in units of its currency. Fails before anything is written.
 */
export function streamTransactionsCsv(filter: TransactionFilter) {
  const batches = loadBatches<CreditTransaction>((last) =>
    loadBatch({ filter, before: last?.id ?? null, limit: BATCH_ROWS, byIndex: false }),
  );
  return streamColumns(COLUMNS, batches);
}
