import type { PaymentStanding } from "~/outside/stripe/payment-page.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Checkout, findCheckout, findLatestCheckout } from "./checkout-record.server";
import { settleCheckout } from "./complete-checkout.server";

/** What a page says to somebody who comes back from the payment page. */
export interface CheckoutReturn {
  /** `confirming`: ask again in a moment. */
  standing: "paid" | "confirming" | "canceled" | "failed" | "expired" | "mismatch" | "unknown";
  tone: "ok" | "bad" | "info";
  message: string;
  /** Our id of the payment, for whom it was and how many credits, where it is known. */
  checkoutId: string | null;
  userId: string | null;
  credits: number | null;
}

const OUR_ID = /^[0-9a-f-]{36}$/;

type Said = Pick<CheckoutReturn, "standing" | "tone" | "message">;

const PAID: Said = {
  standing: "paid",
  tone: "ok",
  message: "Payment successful! Your credits have been added.",
};
const CANCELED: Said = {
  standing: "canceled",
  tone: "info",
  message: "Payment was canceled. No charges were made.",
};
const CONFIRMING: Said = {
  standing: "confirming",
  tone: "info",
  message:
    "Your payment is being confirmed with Stripe. The credits are added as soon as it is; you need not pay again.",
};
const FAILED: Said = {
  standing: "failed",
  tone: "bad",
  message: "The payment failed, so no credits were added. You can try again.",
};
const EXPIRED: Said = {
  standing: "expired",
  tone: "bad",
  message: "The payment page expired before anything was paid. No charges were made; you can start again.",
};
const UNKNOWN: Said = {
  standing: "unknown",
  tone: "info",
  message: "No recent payment of yours was found. The transaction history shows every purchase.",
};

/**
 * What became of a payment, told to who comes back from it (spec §8). An open one is first looked at with Stripe:
 * credits are called added only once they are.
 *
 * @param checkoutId `checkout` of the address; without it the viewer's latest of today is meant
 * @param canceled whether the address says `canceled=true`
 */
export async function loadCheckoutReturn(
  checkoutId: string | null,
  viewer: Pick<Viewer, "id">,
  { canceled = false }: { canceled?: boolean } = {},
): Promise<CheckoutReturn> {
  if (canceled && checkoutId === null) return tell(null, CANCELED);
  if (checkoutId !== null && !OUR_ID.test(checkoutId)) return tell(null, UNKNOWN);
  const found = await withDatabase((db) =>
    checkoutId === null ? findLatestCheckout(db, viewer.id) : findCheckout(db, checkoutId),
  );
  if (!found.ok) return tell(null, canceled ? CANCELED : CONFIRMING);
  if (!found.value) return tell(null, canceled ? CANCELED : UNKNOWN);
  const looked = await lookAgain(found.value);
  return tell(looked.checkout, choose(looked.checkout, looked.payment, canceled));
}

async function lookAgain(
  checkout: Checkout,
): Promise<{ checkout: Checkout; payment: PaymentStanding | null }> {
  if (checkout.state !== "open") return { checkout, payment: null };
  const settled = await settleCheckout(checkout, checkout.stripeSessionId);
  return settled.ok ? settled.value : { checkout, payment: null };
}

function choose({ id, state }: Checkout, payment: PaymentStanding | null, canceled: boolean): Said {
  switch (state) {
    case "completed":
      return PAID;
    case "failed":
      return FAILED;
    case "expired":
      return canceled ? CANCELED : EXPIRED;
    case "mismatch":
      return {
        standing: "mismatch",
        tone: "bad",
        message: `What was paid is not what was ordered, so no credits were added. A person must look into it: give the operator of this console the payment's number, ${id}.`,
      };
    case "open":
      return canceled && payment !== "processing" ? CANCELED : CONFIRMING;
  }
}

function tell(checkout: Checkout | null, said: Said): CheckoutReturn {
  return {
    ...said,
    checkoutId: checkout?.id ?? null,
    userId: checkout?.userId ?? null,
    credits: checkout?.credits ?? null,
  };
}
