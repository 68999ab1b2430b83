import { openAlarm } from "~/alarms/alarm-record.server";
import { isLiveKey } from "~/outside/stripe/client.server";
import { fetchPaymentPage, type PaymentPage, type PaymentState } from "~/outside/stripe/payment-page.server";
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

type SettledCheckout = { checkout: Checkout; payment: PaymentState | null };

/** A payment that Stripe does not know after a day will not appear any more. */
const UNKNOWN_FOR_GOOD_SECONDS = 86_400;

/**
 * Books a purchase by its state at Stripe: adds the credits when it was paid as ordered, closes it when it failed or expired, and marks it as
 * `mismatch` when it does not match the order. The webhook, the return to the console and recovery all call it, in any order and any number
 * of times. A failure changes nothing.
 * @param id ours, or that of Stripe's session
 */
export async function completeCheckout(id: string): Promise<Outcome<SettledCheckout>> {
  const found = await withDatabase(
    async (db) => (await findCheckout(db, id)) ?? fail("not_found", NO_SUCH_PAYMENT),
  );
  return found.ok ? settleCheckout(found.value, found.value.stripeSessionId) : found;
}

/** Does the same for a loaded purchase. @param stripeSessionId the page that may have been paid; null when none is known */
export async function settleCheckout(
  checkout: Checkout,
  stripeSessionId: string | null,
): Promise<Outcome<SettledCheckout>> {
  if (checkout.state === "completed" || stripeSessionId === null) {
    return succeed({ checkout, payment: null });
  }
  const page = await fetchPaymentPage(stripeSessionId);
  if (!page.ok) {
    const lost = page.failure.code === "not_found" && checkout.ageSeconds > UNKNOWN_FOR_GOOD_SECONDS;
    if (!lost) return page;
  }
  const booked = await withDatabase(async (db) => {
    await (page.ok
      ? book(db, checkout, page.value)
      : close(db, checkout, "mismatch", "Stripe does not know this payment with the configured key."));
    return findCheckout(db, checkout.id);
  });
  if (!booked.ok) return booked;
  return succeed({ checkout: booked.value ?? checkout, payment: page.ok ? page.value.payment : null });
}

async function book(db: PrismaClient, checkout: Checkout, page: PaymentPage): Promise<void> {
  const check = checkPayment(checkout, page, isLiveKey());
  if (check.kind === "wait") return;
  if (check.kind === "close") return close(db, checkout, check.state, check.note);
  if (await bookPurchase(db, checkout, page)) {
    log.info("checkout.completed", { userId: checkout.userId, reason: `checkout ${checkout.id}` });
    return;
  }
  const current = await findCheckout(db, checkout.id);
  if (current?.state !== "completed") {
    await close(db, checkout, "mismatch", "The balance would be higher than allowed with these credits.");
  }
}

type ClosedState = "expired" | "failed" | "mismatch";

/** Decision about a purchase. `mismatch`: paid, but not as ordered; no credits are added, and a person decides. */
type PaymentCheck = { kind: "book" } | { kind: "wait" } | { kind: "close"; state: ClosedState; note: string };

/** Decides about a purchase by its payment at Stripe. @param liveKey true when our key is for real money */
export function checkPayment(
  checkout: Pick<Checkout, "id" | "amountCents" | "currency" | "stripeSessionId">,
  page: PaymentPage,
  liveKey: boolean,
): PaymentCheck {
  const close = (state: ClosedState, note: string): PaymentCheck => ({ kind: "close", state, note });
  const { id, stripeSessionId } = checkout;
  const isOurs = stripeSessionId === null || stripeSessionId === page.id;
  if (!isOurs || page.reference !== id || page.checkoutId !== id) {
    return close("mismatch", "The payment at Stripe belongs to another purchase.");
  }
  switch (page.payment) {
    case "open":
    case "processing":
      return { kind: "wait" };
    case "expired":
      return close("expired", "The payment page expired before it was paid.");
    case "failed":
      return close("failed", "The payment failed.");
    case "free":
      return close("mismatch", "Stripe did not ask for any payment.");
    case "paid": {
      const problem = findPaidProblem(checkout, page, liveKey);
      return problem === null ? { kind: "book" } : close("mismatch", problem);
    }
  }
}

/** Finds why a paid page does not pay the order; null when it does. */
function findPaidProblem(
  ordered: Pick<Checkout, "amountCents" | "currency">,
  page: PaymentPage,
  liveKey: boolean,
): string | null {
  if (page.live !== liveKey) {
    const [paid, key] = liveKey ? ["test", "live"] : ["live", "test"];
    return `The payment was made in ${paid} mode, but the key is for ${key} mode.`;
  }
  if (page.isRefunded) return "Stripe refunded the payment before its credits were added.";
  if (page.amountCents === ordered.amountCents && page.currency === ordered.currency) return null;
  const sum = page.amountCents === null ? "nothing" : `${page.amountCents} ${page.currency}`;
  return `Stripe took ${sum} instead of ${ordered.amountCents} ${ordered.currency} (in the smallest unit).`;
}

/** Closes a purchase without credits. Opens an alarm unless its page expired: nothing else reports a payment that failed after its page was left. */
function close(db: PrismaClient, checkout: Checkout, state: ClosedState, note: string): Promise<void> {
  const { id, userId, credits } = checkout;
  return db.$transaction(async (tx) => {
    if (!(await closeCheckout(tx, id, state, note)) || state === "expired") return;
    const subject = { type: "payment", id } as const;
    await openAlarm(tx, { kind: `payment_${state}`, subject, text: note, facts: { user: userId, credits } });
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
