import type { PaymentStanding } from "~/outside/stripe/payment-page.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatCredits } from "../format-credits";
import { CANCELED_MESSAGE, PAID_MESSAGE } from "../messages";
import { type Checkout, findCheckout, findLatestCheckout } from "./checkout-record.server";
import { settleCheckout } from "./complete-checkout.server";

/** The outcome of a payment, and the notice for the person who returns from it. */
export interface CheckoutReturn {
  /** `confirming`: ask again in a moment. */
  outcome: "paid" | "confirming" | "canceled" | "failed" | "expired" | "mismatch" | "unknown";
  tone: "ok" | "bad" | "info";
  message: string;
  /** Our ID of the payment, its user and credits; null where the payment is not known. */
  checkoutId: string | null;
  userId: string | null;
  credits: number | null;
}

const OUR_ID = /^[0-9a-f-]{36}$/;

type Notice = Pick<CheckoutReturn, "outcome" | "tone" | "message">;

const PAID: Notice = { outcome: "paid", tone: "ok", message: PAID_MESSAGE };
const CANCELED: Notice = { outcome: "canceled", tone: "info", message: CANCELED_MESSAGE };
const CONFIRMING: Notice = {
  outcome: "confirming",
  tone: "info",
  message: "Stripe is still confirming your payment. Your credits follow; do not pay again.",
};
const FAILED: Notice = {
  outcome: "failed",
  tone: "bad",
  message: "The payment failed, so no credits were added. You can try again.",
};
const EXPIRED: Notice = {
  outcome: "expired",
  tone: "bad",
  message: "The payment page expired before you paid. Nothing was charged; you can start again.",
};
const UNKNOWN: Notice = {
  outcome: "unknown",
  tone: "info",
  message: "You have no recent payment. The transaction history lists every purchase.",
};

/**
 * Loads the outcome of a payment. An open one is first settled with Stripe, so that the notice never calls credits added
 * before they are.
 *
 * @param checkoutId `checkout` of the address; without it the viewer's latest purchase within a day
 * @param canceled whether the address has `canceled=true`
 */
export async function loadCheckoutReturn(
  checkoutId: string | null,
  viewer: Pick<Viewer, "id">,
  { canceled = false }: { canceled?: boolean } = {},
): Promise<CheckoutReturn> {
  if (canceled && checkoutId === null) return toReturn(null, CANCELED);
  if (checkoutId !== null && !OUR_ID.test(checkoutId)) return toReturn(null, UNKNOWN);
  const found = await withDatabase((db) =>
    checkoutId === null ? findLatestCheckout(db, viewer.id) : findCheckout(db, checkoutId),
  );
  if (!found.ok) return toReturn(null, canceled ? CANCELED : CONFIRMING);
  if (!found.value) return toReturn(null, canceled ? CANCELED : UNKNOWN);
  const settled = await settleIfOpen(found.value);
  const notice = selectNotice(settled.checkout, settled.payment, canceled);
  const { userId, userName, credits } = settled.checkout;
  const isPlain = userId === viewer.id || notice.outcome === "canceled";
  return toReturn(
    settled.checkout,
    isPlain ? notice : { ...notice, message: `${notice.message} ${formatWhose(credits, userName)}` },
  );
}

async function settleIfOpen(
  checkout: Checkout,
): Promise<{ checkout: Checkout; payment: PaymentStanding | null }> {
  if (checkout.state !== "open") return { checkout, payment: null };
  const settled = await settleCheckout(checkout, checkout.stripeSessionId);
  return settled.ok ? settled.value : { checkout, payment: null };
}

function selectNotice({ id, state }: Checkout, payment: PaymentStanding | null, canceled: boolean): Notice {
  switch (state) {
    case "completed":
      return PAID;
    case "failed":
      return FAILED;
    case "expired":
      return canceled ? CANCELED : EXPIRED;
    case "mismatch":
      return { outcome: "mismatch", tone: "bad", message: formatPaymentMismatch(id) };
    case "open":
      return canceled && payment !== "processing" ? CANCELED : CONFIRMING;
  }
}

function toReturn(checkout: Checkout | null, notice: Notice): CheckoutReturn {
  return {
    ...notice,
    checkoutId: checkout?.id ?? null,
    userId: checkout?.userId ?? null,
    credits: checkout?.credits ?? null,
  };
}

/** For a person who bought for someone else. */
function formatWhose(credits: number, userName: string): string {
  return `The purchase: ${formatCredits(credits)} for ${userName}.`;
}

/** @param id ours */
function formatPaymentMismatch(id: string): string {
  return `Your payment does not match the order, so no credits were added. Give the operator of this console the payment number ${id}.`;
}
