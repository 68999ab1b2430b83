import type Stripe from "stripe";
import { succeed, type ValueOf } from "~/platform/outcome";
import { callStripe } from "./client.server";
import { toPaymentPage } from "./payment-page.server";

const PAGE_SIZE = 100;
/** Limit of each list. More payments must be compared in shorter periods. */
const MOST_ROWS = 5_000;

/**
 * Lists payment pages, charges with their fees, refunds and disputes of these days. Includes the charges of refunds and
 * disputes of any age. Fails as {@link callStripe} does.
 */
export async function listPayments(from: Date, to: Date) {
  const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) };
  const days = { created, limit: PAGE_SIZE };
  const most = { limit: MOST_ROWS };
  const listed = await callStripe(async (stripe) => ({
    sessions: await stripe.checkout.sessions
      .list({ ...days, expand: ["data.payment_intent", "data.invoice"] })
      .autoPagingToArray(most),
    charges: await stripe.charges
      .list({ ...days, expand: ["data.balance_transaction"] })
      .autoPagingToArray(most),
    refunds: await stripe.refunds.list({ ...days, expand: ["data.charge"] }).autoPagingToArray(most),
    disputes: await stripe.disputes.list({ ...days, expand: ["data.charge"] }).autoPagingToArray(most),
  }));
  if (!listed.ok) return listed;
  const { sessions, charges, refunds, disputes } = listed.value;
  const known = new Set(charges.map(({ id }) => id));
  const older = [...refunds, ...disputes].flatMap(({ charge }) =>
    typeof charge === "object" && charge !== null && !known.has(charge.id) ? [charge] : [],
  );
  return succeed({
    pages: sessions.map(toPaymentPage),
    charges: [...charges, ...new Map(older.map((charge) => [charge.id, charge])).values()].map(
      toStripeCharge,
    ),
    refunds: refunds.map(toStripeReversal),
    disputes: disputes.map(toStripeReversal),
    /** False when there was more than could be read. */
    isComplete: [sessions, charges, refunds, disputes].every(({ length }) => length < MOST_ROWS),
  });
}

export type StripeBooks = ValueOf<typeof listPayments>;
export type StripeCharge = ReturnType<typeof toStripeCharge>;

/** Amounts are in the smallest unit of the currency. */
function toStripeCharge(charge: Stripe.Charge) {
  const { balance_transaction: balance } = charge;
  return {
    id: charge.id,
    /** Null for sales outside Mailroom. */
    checkoutId: parseCheckoutId(charge),
    amountCents: charge.amount,
    refundedCents: charge.amount_refunded,
    currency: charge.currency,
    isPaid: charge.paid && charge.status === "succeeded",
    /** Amount added to the balance, and Stripe's fee; null while unknown. */
    balance:
      typeof balance === "object" && balance !== null
        ? { amountCents: balance.amount, feeCents: balance.fee, currency: balance.currency }
        : null,
    createdAt: new Date(charge.created * 1000),
  };
}

/** Converts a refund or dispute. `status` is Stripe's word: `succeeded`, `failed`; `needs_response`, `lost`, … */
function toStripeReversal(reversal: Stripe.Refund | Stripe.Dispute) {
  const { id, amount, charge, status } = reversal;
  return { id, amountCents: amount, checkoutId: parseCheckoutId(charge), status: status ?? "" };
}

/** Parses our ID, which a payment page passes as `payment_intent_data.metadata`. */
function parseCheckoutId(charge: Stripe.Charge | string | null): string | null {
  return typeof charge === "object" ? (charge?.metadata.checkout_id ?? null) : null;
}
