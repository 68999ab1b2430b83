import { CREDIT_PACKAGE } from "~/catalogue/prices";
import type { PaymentPage } from "~/outside/stripe/payment-page.server";
import type { Db } from "~/platform/database/client";
import { type CheckoutSession, Prisma } from "../../../prisma/client/client";
import { addPurchased, writePurchase } from "../ledger/credit-parts.server";
import { ensureAccount, MAX_BALANCE } from "../ledger/ledger.server";
import type { CheckoutState } from "./checkout-state";

/** A purchase. It has no session until Stripe has answered, and no one can have paid before. The currency is in lower case. */
export interface Checkout
  extends Pick<
    CheckoutSession,
    "id" | "userId" | "actorId" | "credits" | "amountCents" | "currency" | "stripeSessionId"
  > {
  state: CheckoutState;
  userName: string;
  ageSeconds: number;
}

const COLUMNS = Prisma.sql`
  id, user_id AS "userId", (SELECT u.display_name FROM users u WHERE u.id = user_id) AS "userName", actor_id AS "actorId", credits, amount_cents AS "amountCents", currency, state,
  stripe_session_id AS "stripeSessionId", extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"`;

type NewCheckout = Pick<CheckoutSession, "id" | "userId" | "actorId" | "successUrl" | "cancelUrl">;

/** Stores a purchase of the package before Stripe is called. The user must exist. */
export async function insertCheckout(db: Db, checkout: NewCheckout): Promise<void> {
  const { credits, amountCents, currency } = CREDIT_PACKAGE;
  await db.$executeRaw`
    INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, success_url, cancel_url)
    VALUES (${checkout.id}, ${checkout.userId}, ${checkout.actorId}, ${credits}::int, ${amountCents}::int,
      ${currency}, ${checkout.successUrl}, ${checkout.cancelUrl})`;
}

/** Stores the payment page of an open purchase; false when it is no longer open. */
export async function storePaymentPage(db: Db, id: string, stripeSessionId: string): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE checkout_sessions SET stripe_session_id = ${stripeSessionId}
    WHERE id = ${id} AND state = 'open' AND stripe_session_id IS NULL`;
  return count > 0;
}

/** Finds a checkout by our id or by Stripe's. */
export async function findCheckout(db: Db, id: string): Promise<Checkout | null> {
  const rows = await db.$queryRaw<Checkout[]>`
    SELECT ${COLUMNS} FROM checkout_sessions WHERE id = ${id} OR stripe_session_id = ${id}`;
  return rows[0] ?? null;
}

/** Finds the latest purchase that this person started within a day. */
export async function findLatestCheckout(db: Db, actorId: string): Promise<Checkout | null> {
  const rows = await db.$queryRaw<Checkout[]>`
    SELECT ${COLUMNS} FROM checkout_sessions
    WHERE actor_id = ${actorId} AND created_at > now() - interval '1 day'
    ORDER BY created_at DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** Adds the credits of a paid purchase in one statement. False when it happened before, or the balance would exceed its limit. */
export async function bookPurchase(
  db: Db,
  checkout: Pick<Checkout, "id" | "userId">,
  page: Pick<PaymentPage, "id" | "paymentId" | "invoiceNumber">,
): Promise<boolean> {
  await ensureAccount(db, checkout.userId);
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH payer AS (
      SELECT a.user_id FROM credit_accounts a, checkout_sessions c
      WHERE c.id = ${checkout.id} AND a.user_id = c.user_id AND a.balance + c.credits <= ${MAX_BALANCE}::int
      FOR UPDATE OF a
    ), closed AS (
      UPDATE checkout_sessions c SET state = 'completed', stripe_session_id = ${page.id}, stripe_payment_id = ${page.paymentId}::text,
        invoice_number = ${page.invoiceNumber}::text,
        note = CASE WHEN c.flag IS NOT NULL THEN c.note END,
        looked_at = now(), closed_at = now()
      FROM payer WHERE c.id = ${checkout.id} AND c.user_id = payer.user_id AND c.state <> 'completed'
      RETURNING c.id, c.user_id, c.actor_id, c.credits, c.amount_cents, c.currency
    ), account AS (${addPurchased("closed")})
    ${writePurchase("closed", "account")}`;
  return rows.length > 0;
}

type PaymentRecord = Pick<PaymentPage, "paymentId" | "invoiceNumber"> & { checkoutId: string | null };

/** Stores payments and invoices of purchases that have none yet. */
export async function storePayments(db: Db, records: readonly PaymentRecord[]): Promise<void> {
  await db.$executeRaw`
    UPDATE checkout_sessions c SET stripe_payment_id = coalesce(c.stripe_payment_id, r.payment),
      invoice_number = coalesce(c.invoice_number, r.invoice)
    FROM unnest(${records.map(({ checkoutId }) => checkoutId)}::text[], ${records.map(({ paymentId }) => paymentId)}::text[],
      ${records.map(({ invoiceNumber }) => invoiceNumber)}::text[]) AS r(id, payment, invoice)
    WHERE c.id = r.id AND ((c.stripe_payment_id IS NULL AND r.payment IS NOT NULL) OR (c.invoice_number IS NULL AND r.invoice IS NOT NULL))`;
}

/** Closes an open purchase without credits. `mismatch` also replaces the states `expired` and `failed`. */
export async function closeCheckout(
  db: Db,
  id: string,
  state: "expired" | "failed" | "mismatch",
  note: string,
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE checkout_sessions SET state = ${state}, note = ${note}, looked_at = now(), closed_at = now()
    WHERE id = ${id} AND (state = 'open' OR (${state} = 'mismatch' AND state IN ('expired', 'failed')))`;
  return count > 0;
}

/**
 * Flags a purchase that was refunded or disputed at Stripe; its credits stay. A refund never replaces a dispute.
 * @param isEnd true for the end of a dispute, which its beginning never replaces
 */
export async function flagCheckout(
  db: Db,
  stripeSessionId: string,
  flag: "refunded" | "disputed",
  note: string,
  isEnd: boolean,
): Promise<void> {
  await db.$executeRaw`
    UPDATE checkout_sessions SET flag = ${flag}, note = ${note}
    WHERE stripe_session_id = ${stripeSessionId}
      AND (flag IS NULL OR ((flag <> 'disputed' OR ${isEnd}) AND note IS DISTINCT FROM ${note}))`;
}

/** Claims open purchases that are due for a check, with backoff from seconds to an hour. A claimed one is not due for other processes. */
export async function claimDueCheckouts(db: Db, limit: number): Promise<Checkout[]> {
  return db.$queryRaw<Checkout[]>`
    WITH due AS MATERIALIZED (
      SELECT id AS due_id FROM checkout_sessions
      WHERE state = 'open' AND coalesce(looked_at, created_at) < now() - CASE
        WHEN created_at > now() - interval '1 hour' THEN interval '20 seconds'
        WHEN created_at > now() - interval '1 day' THEN interval '5 minutes'
        ELSE interval '1 hour' END
      ORDER BY coalesce(looked_at, created_at) LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE checkout_sessions SET looked_at = now() FROM due WHERE id = due_id
    RETURNING ${COLUMNS}`;
}
