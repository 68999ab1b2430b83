import type { AlarmKind } from "~/alarms/alarm-kinds";
import { openAlarm } from "~/alarms/alarm-record.server";
import { parseStripeEvent, type StripeEvent } from "~/outside/stripe/event.server";
import { fetchPaymentPage, findPageOfPayment } from "~/outside/stripe/payment-page.server";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { findCheckout, flagCheckout, storePayments } from "./checkout-record.server";
import { settleCheckout } from "./complete-checkout.server";
import { formatMoney } from "./format-money";

/** An event after the payment. */
type PaymentEvent = Exclude<StripeEvent, { kind: "checkout" | "other" }>;

/** Stripe needs only the receipt; tests check the rest. */
export type EventReceipt = "done" | "ignored";

/**
 * Handles a webhook event of Stripe: the exact bytes of the request and its `Stripe-Signature`. The event's content is not trusted: Stripe is
 * asked for the present state of the payment, and that is booked. Nothing is stored of an event that fails, so that Stripe sends it again.
 */
export async function handleStripeEvent(
  rawBody: Uint8Array,
  signature: string | null,
): Promise<Outcome<EventReceipt>> {
  const event = parseStripeEvent(rawBody, signature);
  if (!event.ok) return event;
  const { value } = event;
  if (value.kind === "other") return succeed("ignored");
  const receipt = await (value.kind === "checkout" ? settle(value) : flag(value));
  if (!receipt.ok) {
    log.warn("checkout.event_failed", { event: value.type, failureCode: receipt.failure.code });
  }
  return receipt;
}

async function settle(event: Extract<StripeEvent, { kind: "checkout" }>): Promise<Outcome<EventReceipt>> {
  const found = await withDatabase(async (db) => {
    const known = await findCheckout(db, event.pageId);
    if (known || event.checkoutId === null) return known;
    // Stored before Stripe answered, so its payment page is not stored.
    const ours = await findCheckout(db, event.checkoutId);
    return ours?.stripeSessionId === null ? ours : null;
  });
  if (!found.ok) return found;
  if (!found.value) return succeed("ignored");
  const settled = await settleCheckout(found.value, event.pageId);
  if (settled.ok) return succeed("done");
  return settled.failure.code === "not_found"
    ? fail("bad_input", "Stripe does not know this payment with the console's key. Nothing was stored.")
    : settled;
}

/** Flags the purchase of an event. Its credits stay: an alarm asks a person to decide. */
async function flag(event: PaymentEvent): Promise<Outcome<EventReceipt>> {
  if (event.paymentId === null) return succeed("ignored");
  const pageId = await findPageOfPayment(event.paymentId);
  if (!pageId.ok) return pageId.failure.code === "not_found" ? succeed("ignored") : pageId;
  if (pageId.value === null) return succeed("ignored");
  const id = pageId.value;
  const present = await updateRefund(event, id);
  if (!present.ok) return present;
  return withDatabase((db) =>
    db.$transaction(async (tx) => {
      const checkout = await findCheckout(tx, id);
      if (!checkout) return "ignored";
      const { kind, note, state } = toFlag(event, checkout.currency);
      await storePayments(tx, [{ checkoutId: checkout.id, paymentId: event.paymentId, invoiceNumber: null }]);
      const { note: presentNote } = toFlag(present.value, checkout.currency);
      if (state) await flagCheckout(tx, id, state, presentNote, kind === "dispute_closed");
      const facts = { user: checkout.userId, credits: checkout.credits, stripe_id: event.id };
      const subject = { type: "payment", id: checkout.id } as const;
      // Stripe repeats its events.
      const opened = await openAlarm(tx, { kind, subject, text: note, facts, once: true });
      return opened === "known" ? "ignored" : "done";
    }),
  );
}

/** Replaces the sum of a refund by the present one: events may arrive in another order than the refunds were made. */
async function updateRefund(event: PaymentEvent, pageId: string): Promise<Outcome<PaymentEvent>> {
  if (event.kind !== "refund") return succeed(event);
  const page = await fetchPaymentPage(pageId);
  return page.ok ? succeed({ ...event, refundedCents: page.value.refundedCents }) : page;
}

/** Returns the alarm for an event, and the flag of the purchase if it gets one. */
function toFlag(
  event: PaymentEvent,
  currency: string,
): { kind: AlarmKind; note: string; state: "refunded" | "disputed" | null } {
  const money = (cents: number) => formatMoney(cents, currency);
  switch (event.kind) {
    case "refund": {
      const note = `Stripe refunded ${money(event.refundedCents)} of ${money(event.ofCents)}.`;
      return { kind: "payment_refunded", note, state: "refunded" };
    }
    case "dispute":
      return { kind: "payment_disputed", note: "The payment is disputed at Stripe.", state: "disputed" };
    case "dispute_closed": {
      const decide =
        event.outcome === "lost" ? " The money went back to the buyer: decide about the credits." : "";
      const note = `The dispute ended at Stripe: ${event.outcome.replaceAll("_", " ")}.${decide}`;
      return { kind: "dispute_closed", note, state: "disputed" };
    }
    case "refund_failed": {
      const note = `A refund of ${money(event.cents)} failed at Stripe: the buyer did not get it. Repeat it there, or pay it in another way.`;
      return { kind: "refund_failed", note, state: null };
    }
  }
}
