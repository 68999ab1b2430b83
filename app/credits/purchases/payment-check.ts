import type { PaymentPage } from "~/outside/stripe/payment-page.server";
import type { Checkout } from "./checkout-record.server";

/** What Stripe's word means for a purchase (money.md §4). */
export type PaymentCheck =
  | { kind: "book" }
  | { kind: "wait" }
  | { kind: "close"; state: "expired" | "failed"; note: string }
  /** Paid, or said to be, but not what was ordered: nothing is added, a person must look. */
  | { kind: "mismatch"; note: string };

/** @param liveKey whether money moves for real with our key */
export function checkPayment(
  checkout: Pick<Checkout, "id" | "amountCents" | "currency" | "stripeSessionId">,
  page: PaymentPage,
  liveKey: boolean,
): PaymentCheck {
  const foreign = findForeignMark(checkout, page);
  if (foreign) return { kind: "mismatch", note: foreign };
  switch (page.payment) {
    case "open":
    case "processing":
      return { kind: "wait" };
    case "expired":
      return { kind: "close", state: "expired", note: "The payment page expired unpaid." };
    case "failed":
      return { kind: "close", state: "failed", note: "The payment failed." };
    case "free":
      return { kind: "mismatch", note: "Stripe asked for no payment." };
    case "paid": {
      const note = findDifference(checkout, page, liveKey);
      return note ? { kind: "mismatch", note } : { kind: "book" };
    }
  }
}

function findForeignMark(
  checkout: Pick<Checkout, "id" | "stripeSessionId">,
  page: PaymentPage,
): string | null {
  const ours = checkout.stripeSessionId === null || checkout.stripeSessionId === page.id;
  if (ours && page.reference === checkout.id && page.checkoutId === checkout.id) return null;
  return "The payment at Stripe belongs to another purchase.";
}

function findDifference(
  { amountCents, currency }: Pick<Checkout, "amountCents" | "currency">,
  page: PaymentPage,
  liveKey: boolean,
): string | null {
  if (page.live !== liveKey) {
    const name = (live: boolean) => (live ? "live" : "test");
    return `The payment was made in ${name(page.live)} mode, the key is for ${name(liveKey)} mode.`;
  }
  if (page.amountCents === amountCents && page.currency === currency) return null;
  return `Stripe took ${page.amountCents ?? "no"} ${page.currency ?? ""} (smallest unit) instead of ${amountCents} ${currency}.`;
}
