import { storePayments } from "~/credits/purchases/checkout-record.server";
import { isLiveKey } from "~/outside/stripe/client.server";
import { listPayments, type StripeBooks } from "~/outside/stripe/payments.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS } from "~/platform/time";
import { Prisma } from "../../../prisma/client/client";
import type { Period } from "../reconciliation";
import { compareStripe, type OurPurchase, type StripeComparison } from "./compare-stripe";

export interface StripeReconciliation extends StripeComparison {
  period: Period;
  /** True when everything could be compared. */
  isComplete: boolean;
}

/** A payment page lives for a day, and a slow payment takes longer. */
const PAD_MS = 2 * DAY_MS;

/**
 * Compares the purchases of these days with Stripe: payment pages, charges and fees, refunds, disputes. Changes no credits and no state, but
 * stores the numbers of invoices. Fails as Stripe and the database do.
 */
export async function reconcileStripe(
  period: Period,
  { run = withDatabase }: { run?: typeof withDatabase } = {},
): Promise<Outcome<StripeReconciliation>> {
  const from = new Date(period.from);
  const end = new Date(Date.parse(period.to) + DAY_MS);
  const books = await listPayments(new Date(from.getTime() - PAD_MS), new Date(end.getTime() + PAD_MS));
  if (!books.ok) return books;
  // A page is often paid before Stripe has numbered its invoice.
  const stored = await run((db) => storePayments(db, books.value.pages));
  if (!stored.ok) return stored;
  const ours = await run((db) => loadPurchases(db, from, end, books.value));
  if (!ours.ok) return ours;
  const compared = compareStripe(ours.value, books.value, { isLive: isLiveKey(), now: new Date(), period });
  return succeed({ ...compared, period, isComplete: books.value.isComplete });
}

/** Loads our purchases of the days, and those that Stripe's rows name. */
function loadPurchases(db: Db, from: Date, end: Date, books: StripeBooks): Promise<OurPurchase[]> {
  const { pages, charges, refunds, disputes } = books;
  const named = [...pages, ...charges, ...refunds, ...disputes].flatMap(({ checkoutId }) => checkoutId ?? []);
  const ids = Prisma.sql`c.id = ANY(${[...new Set(named)]}::text[])`;
  return db.$queryRaw<OurPurchase[]>`
    SELECT c.id, u.display_name AS buyer, c.credits, c.amount_cents AS "amountCents", c.currency, c.state,
      c.stripe_session_id AS "stripeSessionId", c.flag, c.created_at AS "createdAt"
    FROM checkout_sessions c JOIN users u ON u.id = c.user_id
    WHERE (c.created_at >= ${from}::timestamptz AND c.created_at < ${end}::timestamptz) OR ${ids}
    ORDER BY c.created_at, c.id`;
}
