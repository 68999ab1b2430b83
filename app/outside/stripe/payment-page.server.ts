import type Stripe from "stripe";
import type { Outcome } from "~/platform/outcome";
import { askStripe } from "./client.server";

/** What is put on sale on one of Stripe's payment pages. */
export interface Offer {
  /** Ours: it comes back with everything Stripe says of the payment, and makes repeating the call harmless. */
  checkoutId: string;
  name: string;
  amountCents: number;
  /** Lower case, as Stripe has it. */
  currency: string;
  successUrl: string;
  cancelUrl: string;
}

/** A Checkout Session, as far as credits are concerned. */
export interface PaymentPage {
  id: string;
  /** Of the payment that it was paid with; null before that. */
  paymentId: string | null;
  /** Of the invoice that Stripe made of it; null where there is none, or it was not read with the page. */
  invoiceNumber: string | null;
  /** Where the buyer pays; null once that is over. */
  url: string | null;
  payment: PaymentStanding;
  /** All of it was given back. False also where the charge was not read with the page. */
  isRefunded: boolean;
  amountCents: number | null;
  currency: string | null;
  live: boolean;
  /** Our id, from the two places where we left it; anybody can write the first one into a payment link. */
  reference: string | null;
  checkoutId: string | null;
}

/**
 * `open`: no one has paid yet; `processing`: a slow payment is under way; `free`: Stripe asked for nothing. The
 * last three are over.
 */
export type PaymentStanding = "open" | "processing" | "paid" | "free" | "failed" | "expired";

const LOOK_LIMIT_MS = 4_000;

/** Opens a payment page for one package. Fails as {@link askStripe} does. */
export function openPaymentPage(offer: Offer): Promise<Outcome<PaymentPage>> {
  const metadata = { checkout_id: offer.checkoutId };
  return askStripe(async (stripe) =>
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
          // A price in the buyer's own currency would not be the one that is checked.
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

/** What has become of a payment page, asked once: whoever asks does so again. Fails as {@link askStripe} does. */
export function loadPaymentPage(id: string): Promise<Outcome<PaymentPage>> {
  return askStripe(async (stripe) =>
    toPaymentPage(
      await stripe.checkout.sessions.retrieve(
        id,
        { expand: ["payment_intent.latest_charge", "invoice"] },
        { timeout: LOOK_LIMIT_MS, maxNetworkRetries: 0 },
      ),
    ),
  );
}

/**
 * Address of a paid page's invoice at Stripe, or of its receipt where none was made; null when there is neither. Both show
 * refunds. Fails as {@link askStripe} does. Source: Stripe's API reference, `Invoice.hosted_invoice_url` and `Charge.receipt_url`.
 */
export function findReceiptAddress(id: string): Promise<Outcome<string | null>> {
  return askStripe(async (stripe) => {
    const { invoice, payment_intent } = await stripe.checkout.sessions.retrieve(id, {
      expand: ["invoice", "payment_intent.latest_charge"],
    });
    const invoiceUrl = typeof invoice === "object" ? invoice?.hosted_invoice_url : null;
    const charge = typeof payment_intent === "object" ? payment_intent?.latest_charge : null;
    return invoiceUrl ?? (typeof charge === "object" ? charge?.receipt_url : null) ?? null;
  });
}

/**
 * Address of the newest credit note of a paid page's invoice; null when there is none. Fails as {@link askStripe} does.
 * Source: Stripe's API reference, `CreditNote.pdf`.
 */
export function findCreditNoteAddress(id: string): Promise<Outcome<string | null>> {
  return askStripe(async (stripe) => {
    const { invoice } = await stripe.checkout.sessions.retrieve(id);
    if (typeof invoice !== "string") return null;
    const { data } = await stripe.creditNotes.list({ invoice, limit: 1 });
    return data[0]?.pdf ?? null;
  });
}

/** The id of the payment page that a payment came from, or null. Fails as {@link askStripe} does. */
export function findPageOfPayment(paymentIntentId: string): Promise<Outcome<string | null>> {
  return askStripe(async (stripe) => {
    const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 });
    return data[0]?.id ?? null;
  });
}

/** A Checkout Session in our words. */
export function toPaymentPage(session: Stripe.Checkout.Session): PaymentPage {
  return {
    id: session.id,
    paymentId: idOf(session.payment_intent),
    url: session.url,
    payment: findPaymentState(session),
    invoiceNumber: typeof session.invoice === "object" ? (session.invoice?.number ?? null) : null,
    isRefunded: isRefunded(session.payment_intent),
    amountCents: session.amount_total,
    currency: session.currency,
    live: session.livemode,
    reference: session.client_reference_id,
    checkoutId: session.metadata?.checkout_id ?? null,
  };
}

function idOf(intent: Stripe.Checkout.Session["payment_intent"]): string | null {
  return typeof intent === "string" ? intent : (intent?.id ?? null);
}

function isRefunded(intent: Stripe.Checkout.Session["payment_intent"]): boolean {
  const charge = typeof intent === "object" ? intent?.latest_charge : null;
  return typeof charge === "object" && charge?.refunded === true;
}

function findPaymentState({
  payment_status,
  status,
  payment_intent,
}: Stripe.Checkout.Session): PaymentStanding {
  if (payment_status === "paid") return "paid";
  if (payment_status === "no_payment_required") return "free";
  if (status === "expired") return "expired";
  if (status !== "complete") return "open";
  const intent = typeof payment_intent === "object" ? payment_intent?.status : null;
  // A complete page cannot be paid a second time: a payment that needs a new card has failed for good.
  return intent === "requires_payment_method" || intent === "canceled" ? "failed" : "processing";
}
