import type { PaymentPage } from "~/outside/stripe/payment-page.server";
import type { Checkout } from "./checkout-record.server";

/** The decision about a purchase. `mismatch`: paid, but not as ordered; no credits are added, and a person decides. */
export type PaymentCheck =
  | { kind: "book" }
  | { kind: "wait" }
  | { kind: "close"; state: "expired" | "failed"; note: string }
  | { kind: "mismatch"; note: string };

/** Decides about a purchase by its payment at Stripe. @param liveKey true when our key is for real money */
export function checkPayment(
  checkout: Pick<Checkout, "id" | "amountCents" | "currency" | "stripeSessionId">,
  page: PaymentPage,
  liveKey: boolean,
): PaymentCheck {
  const foreign = findForeignReference(checkout, page);
  if (foreign) return { kind: "mismatch", note: foreign };
  switch (page.payment) {
    case "open":
    case "processing":
      return { kind: "wait" };
    case "expired":
      return { kind: "close", state: "expired", note: "The payment page expired before it was paid." };
    case "failed":
      return { kind: "close", state: "failed", note: "The payment failed." };
    case "free":
      return { kind: "mismatch", note: "Stripe did not ask for any payment." };
    case "paid": {
      const note = findDifference(checkout, page, liveKey);
      return note ? { kind: "mismatch", note } : { kind: "book" };
    }
  }
}

function findForeignReference(
  checkout: Pick<Checkout, "id" | "stripeSessionId">,
  page: PaymentPage,
): string | null {
  const ours = checkout.stripeSessionId === null || checkout.stripeSessionId === page.id;
  if (ours && page.reference === checkout.id && page.checkoutId === checkout.id) return null;
  return "The payment at Stripe belongs to another purchase.";
}

function findDifference(
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
