import { isLiveKey } from "~/outside/stripe/client.server";
import {
  type PaymentPage,
  type PaymentStanding,
  readPaymentPage,
} from "~/outside/stripe/payment-page.server";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { bookPurchase, type Checkout, closeCheckout, findCheckout } from "./checkout-record.server";
import { checkPayment } from "./payment-check";

/** A purchase after a look at Stripe; `payment` is null where Stripe was not asked. */
export interface SettledCheckout {
  checkout: Checkout;
  payment: PaymentStanding | null;
}

/** What Stripe does not know a day later, it will not learn of any more. */
const UNKNOWN_FOR_GOOD_SECONDS = 86_400;

/**
 * Asks Stripe what has become of a purchase and books what it says: the one purchase of its credits when it was
 * paid as ordered, the end of it when it failed or expired, an alarm when it is not what was ordered (money.md §4).
 * Webhook, return and reconciler all call it, in any order, any number of times.
 *
 * @param id ours, or that of Stripe's session
 * Fails with `not_found` for no purchase of ours, with the database's failures, and as asking Stripe does; then
 * nothing moved and it may be called again.
 */
export async function completeCheckout(id: string): Promise<Outcome<SettledCheckout>> {
  const found = await withDatabase((db) => findCheckout(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", "There is no such payment here.");
  return settleCheckout(found.value, found.value.stripeSessionId);
}

/**
 * The same for a purchase at hand.
 * @param stripeSessionId the page that may have been paid; null where none is known
 */
export async function settleCheckout(
  checkout: Checkout,
  stripeSessionId: string | null,
): Promise<Outcome<SettledCheckout>> {
  if (checkout.state === "completed" || stripeSessionId === null) {
    return succeed({ checkout, payment: null });
  }
  const page = await readPaymentPage(stripeSessionId);
  if (!page.ok) {
    const lost = page.failure.code === "not_found" && checkout.ageSeconds > UNKNOWN_FOR_GOOD_SECONDS;
    if (!lost) return page;
  }
  const booked = await withDatabase(async (db) => {
    await (page.ok
      ? book(db, checkout, page.value)
      : raiseAlarm(db, checkout, "Stripe does not know this payment with the configured key."));
    return findCheckout(db, checkout.id);
  });
  if (!booked.ok) return booked;
  return succeed({ checkout: booked.value ?? checkout, payment: page.ok ? page.value.payment : null });
}

async function book(db: PrismaClient, checkout: Checkout, page: PaymentPage): Promise<void> {
  const verdict = checkPayment(checkout, page, isLiveKey());
  if (verdict.kind === "wait") return;
  if (verdict.kind === "mismatch") return raiseAlarm(db, checkout, verdict.note);
  if (verdict.kind === "close") {
    await closeCheckout(db, checkout.id, verdict.state, verdict.note);
    return;
  }
  if (await bookPurchase(db, checkout, page.id)) {
    log.info("credits bought", {
      event: "purchase",
      userId: checkout.userId,
      reason: `checkout ${checkout.id}`,
    });
    return;
  }
  const now = await findCheckout(db, checkout.id);
  if (now?.state !== "completed")
    await raiseAlarm(db, checkout, "The balance has no room for these credits.");
}

async function raiseAlarm(db: PrismaClient, checkout: Checkout, note: string): Promise<void> {
  if (!(await closeCheckout(db, checkout.id, "mismatch", note))) return;
  log.error("a payment needs a person", {
    event: "checkout_mismatch",
    userId: checkout.userId,
    reason: `checkout ${checkout.id}: ${note}`,
  });
}
