import { openAlarm } from "~/alarms/alarm-record.server";
import { isLiveKey } from "~/outside/stripe/client.server";
import {
  loadPaymentPage,
  type PaymentPage,
  type PaymentStanding,
} from "~/outside/stripe/payment-page.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { NO_SUCH_PAYMENT } from "../messages";
import {
  bookPurchase,
  type Checkout,
  claimDueCheckouts,
  closeCheckout,
  findCheckout,
} from "./checkout-record.server";
import { checkPayment, type PaymentCheck } from "./payment-check";

/** A settled purchase; `payment` is null when Stripe was not asked. */
export interface SettledCheckout {
  checkout: Checkout;
  payment: PaymentStanding | null;
}

/** A payment that Stripe does not know after a day will not appear any more. */
const UNKNOWN_FOR_GOOD_SECONDS = 86_400;

/**
 * Books a purchase by its state at Stripe: adds the credits when it was paid as ordered, closes it when it failed or expired, and marks it as
 * `mismatch` when it does not match the order. The webhook, the return to the console and recovery all call it, in any order and any number
 * of times.
 *
 * Fails with `not_found` for an unknown purchase, and as the database and Stripe do; nothing is changed then, and it may be called again.
 * @param id ours, or that of Stripe's session
 */
export async function completeCheckout(id: string): Promise<Outcome<SettledCheckout>> {
  const found = await withDatabase((db) => findCheckout(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", NO_SUCH_PAYMENT);
  return settleCheckout(found.value, found.value.stripeSessionId);
}

/** Does the same for a loaded purchase. @param stripeSessionId the page that may have been paid; null when none is known */
export async function settleCheckout(
  checkout: Checkout,
  stripeSessionId: string | null,
): Promise<Outcome<SettledCheckout>> {
  if (checkout.state === "completed" || stripeSessionId === null) {
    return succeed({ checkout, payment: null });
  }
  const page = await loadPaymentPage(stripeSessionId);
  if (!page.ok) {
    const lost = page.failure.code === "not_found" && checkout.ageSeconds > UNKNOWN_FOR_GOOD_SECONDS;
    if (!lost) return page;
  }
  const booked = await withDatabase(async (db) => {
    await (page.ok
      ? book(db, checkout, page.value)
      : markMismatch(db, checkout, "Stripe does not know this payment with the configured key."));
    return findCheckout(db, checkout.id);
  });
  if (!booked.ok) return booked;
  return succeed({ checkout: booked.value ?? checkout, payment: page.ok ? page.value.payment : null });
}

async function book(db: PrismaClient, checkout: Checkout, page: PaymentPage): Promise<void> {
  const check = checkPayment(checkout, page, isLiveKey());
  if (check.kind === "wait") return;
  if (check.kind === "mismatch") return markMismatch(db, checkout, check.note);
  if (check.kind === "close") {
    return closeUnpaid(db, checkout, check);
  }
  if (await bookPurchase(db, checkout, page)) {
    log.info("checkout.completed", {
      userId: checkout.userId,
      reason: `checkout ${checkout.id}`,
    });
    return;
  }
  const current = await findCheckout(db, checkout.id);
  if (current?.state !== "completed")
    await markMismatch(db, checkout, "The balance would be higher than allowed with these credits.");
}

/** Closes an unpaid purchase. A payment that failed after its page was left opens an alarm, because nothing else reports it. */
function closeUnpaid(
  db: PrismaClient,
  { id, userId, credits }: Checkout,
  { state, note }: Extract<PaymentCheck, { kind: "close" }>,
): Promise<void> {
  return db.$transaction(async (tx) => {
    if (!(await closeCheckout(tx, id, state, note)) || state !== "failed") return;
    const subject = { type: "payment", id } as const;
    await openAlarm(tx, { kind: "payment_failed", subject, text: note, facts: { user: userId, credits } });
  });
}

function markMismatch(db: PrismaClient, checkout: Checkout, note: string): Promise<void> {
  return db.$transaction(async (tx) => {
    if (!(await closeCheckout(tx, checkout.id, "mismatch", note))) return;
    const subject = { type: "payment", id: checkout.id } as const;
    const facts = { user: checkout.userId, credits: checkout.credits };
    await openAlarm(tx, { kind: "payment_mismatch", subject, text: note, facts });
  });
}

const BATCH_SIZE = 8;
/** After this time without an answer of Stripe no one waits for the payment page or has its address. */
const OPENING_LIMIT_SECONDS = 120;

/** Settles open purchases that neither a webhook nor the buyer's return has closed, in any number of processes at once. */
export const recoverCheckouts: BackgroundTask<Checkout> = {
  name: "recover_checkouts",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  async claim(limit) {
    return env().stripe ? withDatabase((db) => claimDueCheckouts(db, limit)) : succeed([]);
  },
  async work({ id, stripeSessionId, ageSeconds }) {
    if (stripeSessionId !== null) return completeCheckout(id);
    if (ageSeconds <= OPENING_LIMIT_SECONDS) return succeed(null);
    return withDatabase((db) => closeCheckout(db, id, "failed", "The payment page was never opened."));
  },
};
