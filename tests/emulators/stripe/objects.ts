import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

/** The objects of the API with the fields that the console, or a person who debugs it, may read. */

/** The input for a new session. */
export interface SessionFacts {
  id: string;
  url: string;
  livemode: boolean;
  createdSeconds: number;
  expiresSeconds: number;
  amount: number;
  currency: string;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string | null;
  customerEmail: string | null;
  /** True when the payment gets an invoice. */
  invoiced: boolean;
}

/** Creates an id of the length of Stripe's, e.g. `cs_test_a1B2…`, `pi_3…`. */
export function mintId(prefix: string, chars = 24): string {
  return `${prefix}_${randomBytes(chars).toString("base64url").replace(/[-_]/g, "0").slice(0, chars)}`;
}

export function buildSession({ amount, createdSeconds, expiresSeconds, ...facts }: SessionFacts) {
  return {
    ...{ id: facts.id, object: "checkout.session", url: facts.url, livemode: facts.livemode },
    ...{ amount_subtotal: amount, amount_total: amount, currency: facts.currency },
    ...{ cancel_url: facts.cancelUrl, success_url: facts.successUrl },
    ...{ client_reference_id: facts.clientReferenceId, customer_email: facts.customerEmail },
    ...{ created: createdSeconds, expires_at: expiresSeconds, metadata: facts.metadata, mode: "payment" },
    ...{ invoice: null, invoice_creation: { enabled: facts.invoiced } },
    ...{ payment_intent: null, payment_method_types: ["card"], payment_status: "unpaid", status: "open" },
  } as unknown as Stripe.Checkout.Session;
}

export function buildIntent(
  { amount_total, currency, livemode }: Stripe.Checkout.Session,
  metadata: Record<string, string>,
  created: number,
) {
  return {
    ...{ id: mintId("pi"), object: "payment_intent", created, livemode, metadata },
    ...{ amount: amount_total ?? 0, amount_received: 0, currency: currency ?? "usd" },
    ...{ last_payment_error: null, latest_charge: null, status: "processing" },
  } as unknown as Stripe.PaymentIntent;
}

export function buildCharge(
  { id, amount, currency, livemode, metadata }: Stripe.PaymentIntent,
  created: number,
) {
  return {
    ...{ id: mintId("ch"), object: "charge", created, livemode, metadata: { ...metadata } },
    ...{ amount, amount_captured: amount, amount_refunded: 0, currency, balance_transaction: null },
    ...{ captured: true, disputed: false, paid: true, payment_intent: id, refunded: false },
    status: "succeeded",
  } as unknown as Stripe.Charge;
}

/** The amount of a charge after Stripe's fee of 2.9 % and 30 cents. */
export function buildBalanceTransaction(charge: Stripe.Charge): Partial<Stripe.BalanceTransaction> {
  const fee = Math.round(charge.amount * 0.029) + 30;
  return {
    ...{ id: charge.id.replace("ch_", "txn_"), object: "balance_transaction", source: charge.id },
    ...{ amount: charge.amount, created: charge.created, currency: charge.currency },
    ...{ fee, net: charge.amount - fee, status: "available", type: "charge" },
  };
}

export function buildRefund(
  { id, currency, payment_intent }: Stripe.Charge,
  amount: number,
  created: number,
) {
  return {
    ...{ id: mintId("re"), object: "refund", created, amount, currency, metadata: {} },
    ...{ charge: id, payment_intent, reason: null, status: "succeeded" },
  } as unknown as Stripe.Refund & { charge: string };
}

export function buildDispute(
  { id, amount, currency, livemode, payment_intent }: Stripe.Charge,
  created: number,
) {
  return {
    ...{ id: mintId("du"), object: "dispute", created, amount, currency, livemode, metadata: {} },
    ...{ charge: id, payment_intent, reason: "fraudulent", status: "needs_response" },
  } as unknown as Stripe.Dispute & { charge: string };
}
