import { findPageOfPayment } from "~/outside/stripe/payment-page.server";
import type { Db } from "~/platform/database/client";
import { hasWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { Prisma } from "../../prisma/client/client";
import type { CreditTransaction } from "./ledger/transaction";
import type { Checkout } from "./purchases/checkout-record.server";

/** A ledger row that a search found. */
export interface FoundEntry
  extends Pick<
    CreditTransaction,
    "id" | "userId" | "userName" | "type" | "amount" | "description" | "actorId" | "createdAt"
  > {
  /** Null for an actor who is no stored user. */
  actorName: string | null;
}

/** A purchase that a search found. */
export interface FoundPurchase
  extends Pick<Checkout, "id" | "userId" | "userName" | "credits" | "amountCents" | "currency" | "state"> {
  createdAt: Date;
}

const ENTRY = Prisma.sql`
  t.id::float8 AS id, t.user_id AS "userId", u.display_name AS "userName", t.transaction_type AS type, t.amount,
  t.description, t.actor_id AS "actorId", a.display_name AS "actorName", t.created_at AS "createdAt"`;
const ENTRY_TABLES = Prisma.sql`
  credit_transactions t JOIN users u ON u.id = t.user_id LEFT JOIN users a ON a.id = t.actor_id`;

const PURCHASE = Prisma.sql`
  c.id, c.user_id AS "userId", u.display_name AS "userName", c.credits, c.amount_cents AS "amountCents", c.currency,
  c.state, c.created_at AS "createdAt"`;

/** Finds adjustments by words of their reason. */
export function findAdjustments(db: Db, words: readonly string[], limit: number) {
  const has = words.map((word) => Prisma.sql`lower(t.description) LIKE ${`%${word}%`}`);
  return db.$queryRaw<FoundEntry[]>`
    WITH hits AS MATERIALIZED (
      SELECT t.id FROM credit_transactions t WHERE t.cause = 'adjustment' AND ${Prisma.join(has, " AND ")}
    )
    SELECT ${ENTRY} FROM ${ENTRY_TABLES}
    WHERE t.id IN (SELECT id FROM hits ORDER BY id DESC LIMIT ${limit}::int) ORDER BY t.id DESC`;
}

/** Finds a ledger row by its number. */
export async function findEntryById(db: Db, id: string) {
  if (!/^[1-9]\d{0,14}$/.test(id)) return [];
  return db.$queryRaw<FoundEntry[]>`
    SELECT ${ENTRY} FROM ${ENTRY_TABLES} WHERE t.id = ${BigInt(id)}::bigint`;
}

/** Finds a purchase by our id, or by the id of Stripe's page or payment. */
export function findPurchaseById(db: Db, id: string): Promise<FoundPurchase[]> {
  return db.$queryRaw<FoundPurchase[]>`
    SELECT ${PURCHASE} FROM checkout_sessions c JOIN users u ON u.id = c.user_id
    WHERE c.id = ${id} OR c.stripe_session_id = ${id} OR c.stripe_payment_id = ${id}`;
}

/** Finds paid purchases by the word purchase and words of the user's name, among the newest 2,000. */
export function findPurchasesByWords(db: Db, words: readonly string[], limit: number) {
  const text = Prisma.sql`(' purchase' || coalesce(u.search_text, ''))`;
  return db.$queryRaw<FoundPurchase[]>`
    SELECT ${PURCHASE} FROM (
      SELECT * FROM checkout_sessions WHERE state = 'completed' ORDER BY created_at DESC LIMIT ${NEWEST_ROWS}::int
    ) c JOIN users u ON u.id = c.user_id
    WHERE ${hasWords(text, words)} ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}::int`;
}

/** Finds Stripe's page of a payment that is stored with no purchase of ours; null for another id, and when Stripe does not say. */
export async function findPageId(id: string): Promise<string | null> {
  if (!/^pi_\w{3,100}$/.test(id)) return null;
  const page = await findPageOfPayment(id);
  return page.ok ? page.value : null;
}
