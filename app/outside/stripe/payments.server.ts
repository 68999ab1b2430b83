import type Stripe from "stripe";
import { type Outcome, succeed } from "~/platform/outcome";
import { askStripe } from "./client.server";
import { type PaymentPage, toPaymentPage } from "./payment-page.server";

/** A charge. Amounts are in the smallest unit of the currency. */
export interface StripeCharge {
  id: string;
  /** Our ID of the purchase; null for sales outside Mailroom. */
  checkoutId: string | null;
  amountCents: number;
  refundedCents: number;
  currency: string;
  isPaid: boolean;
  /** Amount added to the balance, and Stripe's fee; null while unknown. */
  balance: { amountCents: number; feeCents: number; currency: string } | null;
  createdAt: Date;
}

/** A refund or dispute of a payment of any age. */
export interface StripeReversal {
  id: string;
  checkoutId: string | null;
  amountCents: number;
  /** Stripe's word: `succeeded`, `failed`; `needs_response`, `lost`, … */
  status: string;
}

/** Stripe's records of some days. */
export interface StripeBooks {
  pages: PaymentPage[];
  charges: StripeCharge[];
  refunds: StripeReversal[];
  disputes: StripeReversal[];
  /** False when there was more than could be read. */
  isComplete: boolean;
}

const PAGE_SIZE = 100;
/** Limit of each list. More payments must be compared in shorter periods. */
const MOST_ROWS = 5_000;

/**
 * Lists payment pages, charges with their fees, refunds and disputes of these days. Includes the charges of refunds and
 * disputes of any age. Fails as {@link askStripe} does.
 */
export async function listPayments(from: Date, to: Date): Promise<Outcome<StripeBooks>> {
  const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) };
  const days = { created, limit: PAGE_SIZE };
  const most = { limit: MOST_ROWS };
  const listed = await askStripe(async (stripe) => ({
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
    isComplete: [sessions, charges, refunds, disputes].every(({ length }) => length < MOST_ROWS),
  });
}

function toStripeCharge(charge: Stripe.Charge): StripeCharge {
  const { balance_transaction: balance } = charge;
  return {
    id: charge.id,
    checkoutId: parseCheckoutId(charge),
    amountCents: charge.amount,
    refundedCents: charge.amount_refunded,
    currency: charge.currency,
    isPaid: charge.paid && charge.status === "succeeded",
    balance:
      typeof balance === "object" && balance !== null
        ? { amountCents: balance.amount, feeCents: balance.fee, currency: balance.currency }
        : null,
    createdAt: new Date(charge.created * 1000),
  };
}

function toStripeReversal(reversal: Stripe.Refund | Stripe.Dispute): StripeReversal {
  const { id, amount, charge, status } = reversal;
  return { id, amountCents: amount, checkoutId: parseCheckoutId(charge), status: status ?? "" };
}

/** Parses our ID, which a payment page passes as `payment_intent_data.metadata`. */
function parseCheckoutId(charge: Stripe.Charge | string | null): string | null {
  return typeof charge === "object" ? (charge?.metadata.checkout_id ?? null) : null;
}
