import type Stripe from "stripe";
import type { Outcome } from "~/platform/outcome";
import { callStripe, idOf } from "./client.server";

interface Offer {
  /** Our ID, which Stripe returns with the payment, and the idempotency key of the call. */
  checkoutId: string;
  name: string;
  amountCents: number;
  /** Currency in lower case. */
  currency: string;
  successUrl: string;
  cancelUrl: string;
}

/** `open`: not paid yet; `processing`: a slow payment has begun; `free`: no payment is required. The last three are final. */
export type PaymentState = "open" | "processing" | "paid" | "free" | "failed" | "expired";

const FETCH_TIMEOUT_MS = 4_000;

/** Opens a payment page for one package. Fails as {@link callStripe} does. */
export function openPaymentPage(offer: Offer): Promise<Outcome<PaymentPage>> {
  const metadata = { checkout_id: offer.checkoutId };
  return callStripe(async (stripe) =>
    toPaymentPage(
      await stripe.checkout.sessions.create(
        {
          mode: "payment",
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: offer.currency,
                unit_amount: offer.amountCents,
                product_data: { name: offer.name },
              },
            },
          ],
          // The price that is checked later must not be in the buyer's own currency.
          adaptive_pricing: { enabled: false },
          client_reference_id: offer.checkoutId,
          metadata,
          payment_intent_data: { metadata },
          invoice_creation: { enabled: true },
          success_url: offer.successUrl,
          cancel_url: offer.cancelUrl,
        },
        { idempotencyKey: offer.checkoutId },
      ),
    ),
  );
}

/** Fetches a payment page, without retries. Fails as {@link callStripe} does. */
export function fetchPaymentPage(id: string): Promise<Outcome<PaymentPage>> {
  return callStripe(async (stripe) =>
    toPaymentPage(
      await stripe.checkout.sessions.retrieve(
        id,
        { expand: ["payment_intent.latest_charge", "invoice"] },
        { timeout: FETCH_TIMEOUT_MS, maxNetworkRetries: 0 },
      ),
    ),
  );
}

/** Finds the address of a paid page's invoice, else its receipt; null without either. Both show refunds. */
export function findReceiptAddress(id: string): Promise<Outcome<string | null>> {
  return callStripe(async (stripe) => {
    const { invoice, payment_intent } = await stripe.checkout.sessions.retrieve(id, {
      expand: ["invoice", "payment_intent.latest_charge"],
    });
    const invoiceUrl = typeof invoice === "object" ? invoice?.hosted_invoice_url : null;
    const charge = typeof payment_intent === "object" ? payment_intent?.latest_charge : null;
    return invoiceUrl ?? (typeof charge === "object" ? charge?.receipt_url : null) ?? null;
  });
}

/** Finds the address of the newest credit note of a paid page's invoice; null for none. See `CreditNote.pdf`. */
export function findCreditNoteAddress(id: string): Promise<Outcome<string | null>> {
  return callStripe(async (stripe) => {
    const { invoice } = await stripe.checkout.sessions.retrieve(id);
    if (typeof invoice !== "string") return null;
    const { data } = await stripe.creditNotes.list({ invoice, limit: 1 });
    return data[0]?.pdf ?? null;
  });
}

/** Finds the ID of a payment's page; null for none. Fails as {@link callStripe} does. */
export function findPageOfPayment(paymentIntentId: string): Promise<Outcome<string | null>> {
  return callStripe(async (stripe) => {
    const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 });
    return data[0]?.id ?? null;
  });
}

/** The part of a Checkout Session that credits need. */
export type PaymentPage = ReturnType<typeof toPaymentPage>;

export function toPaymentPage(session: Stripe.Checkout.Session) {
  const { invoice, payment_intent: intent } = session;
  const charge = typeof intent === "object" ? intent?.latest_charge : null;
  return {
    id: session.id,
    /** Null before it is paid. */
    paymentId: idOf(intent),
    /** Address where the buyer pays; null afterwards. */
    url: session.url,
    payment: findPaymentState(session),
    /** Null without an invoice, or when it was not loaded with the page. */
    invoiceNumber: typeof invoice === "object" ? (invoice?.number ?? null) : null,
    /** True when all of it was refunded. Also false when the charge was not loaded with the page. */
    isRefunded: typeof charge === "object" && charge?.refunded === true,
    refundedCents: (typeof charge === "object" && charge?.amount_refunded) || 0,
    amountCents: session.amount_total,
    currency: session.currency,
    live: session.livemode,
    /** Our ID in two places. Anyone can write the first one into a payment link. */
    reference: session.client_reference_id,
    checkoutId: session.metadata?.checkout_id ?? null,
  };
}

function findPaymentState({ payment_status, status, payment_intent }: Stripe.Checkout.Session): PaymentState {
  if (payment_status === "paid") return "paid";
  if (payment_status === "no_payment_required") return "free";
  if (status === "expired") return "expired";
  if (status !== "complete") return "open";
  const intent = typeof payment_intent === "object" ? payment_intent?.status : null;
  // A complete page cannot be paid again, so a payment that needs another card has failed permanently.
  return intent === "requires_payment_method" || intent === "canceled" ? "failed" : "processing";
}
