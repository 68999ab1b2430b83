import { readStripeEvent, type StripeEvent } from "~/outside/stripe/event.server";
import { findPageOfPayment } from "~/outside/stripe/payment-page.server";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { type Checkout, findCheckout, flagCheckout } from "./checkout-record.server";
import { settleCheckout } from "./complete-checkout.server";

/** What was made of an event: Stripe needs to know only that it arrived. */
export type EventReceipt = "done" | "ignored";

/**
 * Takes an event of Stripe's, given as the exact bytes that came in and their `Stripe-Signature`. The event is only
 * the occasion: what is booked is what Stripe says when it is asked.
 *
 * Fails with `bad_input` for what Stripe did not sign for us just now, `not_configured`, and with whatever kept it
 * from being booked, so that Stripe sends it again; nothing is stored then.
 */
export async function handleStripeEvent(
  rawBody: Uint8Array,
  signature: string | null,
): Promise<Outcome<EventReceipt>> {
  const event = readStripeEvent(rawBody, signature);
  if (!event.ok) return event;
  const { value } = event;
  if (value.kind === "other") return succeed("ignored");
  const receipt = await (value.kind === "checkout" ? settle(value) : flag(value));
  if (!receipt.ok) {
    log.warn("a payment event could not be booked", { event: value.type, reason: receipt.failure.code });
  }
  return receipt;
}

async function settle(event: Extract<StripeEvent, { kind: "checkout" }>): Promise<Outcome<EventReceipt>> {
  const found = await withDatabase(async (db) => {
    const known = await findCheckout(db, event.pageId);
    if (known || event.checkoutId === null) return known;
    // Written before Stripe had answered, and never told its page.
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

/** The credits stay: taking them back is a person's act (money.md §4). */
async function flag(
  event: Extract<StripeEvent, { kind: "refund" | "dispute" }>,
): Promise<Outcome<EventReceipt>> {
  if (event.paymentId === null) return succeed("ignored");
  const pageId = await findPageOfPayment(event.paymentId);
  if (!pageId.ok) return pageId.failure.code === "not_found" ? succeed("ignored") : pageId;
  if (pageId.value === null) return succeed("ignored");
  const id = pageId.value;
  const [word, note] =
    event.kind === "refund"
      ? (["refunded", `Stripe gave back ${event.refundedCents} of ${event.ofCents} cents.`] as const)
      : (["disputed", "The payment is disputed at Stripe."] as const);
  const flagged = await withDatabase(async (db) => {
    const isNew = await flagCheckout(db, id, word, note);
    return isNew ? findCheckout(db, id) : null;
  });
  if (!flagged.ok) return flagged;
  if (flagged.value) reportFlag(flagged.value, word, note);
  return succeed(flagged.value ? "done" : "ignored");
}

function reportFlag({ id, userId }: Checkout, word: string, note: string): void {
  log.warn("a payment needs a person", {
    event: `checkout_${word}`,
    userId,
    reason: `checkout ${id}: ${note}`,
  });
}
