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

/** A purchase after Stripe was asked; `payment` is null where that was not necessary. */
export interface SettledCheckout {
  checkout: Checkout;
  payment: PaymentStanding | null;
}

/** A payment that Stripe does not know after a day will not appear any more. */
const UNKNOWN_FOR_GOOD_SECONDS = 86_400;

/**
 * Asks Stripe for the state of a purchase and books it: adds the credits when it was paid as ordered, closes it when
 * it failed or expired, and marks it as `mismatch` when it does not match the order. The webhook, the return to the
 * console and recovery all call it, in any order and any number of times.
 *
 * @param id ours, or that of Stripe's session
 * Fails with `not_found` for an unknown purchase, and with the failures of the database and of Stripe; nothing was
 * changed then, and it may be called again.
 */
export async function completeCheckout(id: string): Promise<Outcome<SettledCheckout>> {
  const found = await withDatabase((db) => findCheckout(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", NO_SUCH_PAYMENT);
  return settleCheckout(found.value, found.value.stripeSessionId);
}

/**
 * The same for a purchase that is already loaded.
 * @param stripeSessionId the page that may have been paid; null where none is known
 */
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

/** Closes a purchase that was not paid. A payment that failed after its page was left tells nobody else. */
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
/** After that long without an answer of Stripe no one waits for the payment page any more, or has its address. */
const OPENING_LIMIT_SECONDS = 120;

/**
 * Settles open purchases that neither a webhook nor the buyer's return has closed. Any number of processes may do so
 * at once.
 */
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
