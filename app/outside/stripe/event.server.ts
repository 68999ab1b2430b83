import Stripe from "stripe";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { idOf, isLiveKey } from "./client.server";

export type StripeEvent =
  | { kind: "checkout"; type: string; pageId: string; checkoutId: string | null }
  | (Reversal & { kind: "refund"; refundedCents: number; ofCents: number })
  | (Reversal & { kind: "dispute" })
  /** `outcome` is Stripe's word: `won`, `lost`, … */
  | (Reversal & { kind: "dispute_closed"; outcome: string })
  | (Reversal & { kind: "refund_failed"; cents: number })
  | { kind: "other"; type: string };

interface Reversal {
  type: string;
  paymentId: string | null;
  /** Stripe's ID of the dispute or refund; the event's own ID for a charge, whose event does not name its refund. */
  id: string;
}

const TOLERANCE_SECONDS = 300;

const OTHER_MODE =
  "This event is of Stripe's other mode (test or live) than the console's key. Nothing was stored.";

/**
 * Verifies the signature of the exact bytes, at most five minutes old, and parses the event. Fails with `bad_input`, or
 * `not_configured` without a key or a webhook secret.
 */
export function parseStripeEvent(rawBody: Uint8Array, signature: string | null): Outcome<StripeEvent> {
  const secrets = env().stripe?.webhookSecrets ?? [];
  if (secrets.length === 0) {
    return fail(
      "not_configured",
      "Payment events are not configured: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and start the console again.",
    );
  }
  const payload = Buffer.from(rawBody);
  for (const secret of secrets) {
    try {
      const event = Stripe.webhooks.constructEvent(payload, signature ?? "", secret, TOLERANCE_SECONDS);
      return event.livemode === isLiveKey() ? succeed(toStripeEvent(event)) : fail("bad_input", OTHER_MODE);
    } catch {
      // Invalid under this secret.
    }
  }
  return fail(
    "bad_input",
    "This event is not signed by Stripe for this console within the last five minutes. Nothing was stored.",
  );
}

function toStripeEvent(event: Stripe.Event): StripeEvent {
  const { type } = event;
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired": {
      const { id, metadata } = event.data.object;
      return { kind: "checkout", type, pageId: id, checkoutId: metadata?.checkout_id ?? null };
    }
    case "charge.refunded": {
      const { payment_intent, amount_refunded, amount } = event.data.object;
      const cents = { refundedCents: amount_refunded, ofCents: amount };
      return { kind: "refund", type, paymentId: idOf(payment_intent), id: event.id, ...cents };
    }
    case "charge.dispute.created": {
      const { id, payment_intent } = event.data.object;
      return { kind: "dispute", type, paymentId: idOf(payment_intent), id };
    }
    case "charge.dispute.closed": {
      const { id, payment_intent, status } = event.data.object;
      return { kind: "dispute_closed", type, paymentId: idOf(payment_intent), id, outcome: status };
    }
    case "refund.failed":
    case "refund.updated":
    case "charge.refund.updated": {
      const { id, payment_intent, status, amount } = event.data.object;
      if (status !== "failed" && status !== "canceled") return { kind: "other", type };
      return { kind: "refund_failed", type, paymentId: idOf(payment_intent), id, cents: amount };
    }
    default:
      return { kind: "other", type };
  }
}
