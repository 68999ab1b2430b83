export type CheckoutState = "open" | "completed" | "expired" | "failed" | "mismatch";

/** How a purchase stands, in words, and the tone of its badge. */
export const CHECKOUT_STATES: Record<
  CheckoutState,
  { word: string; tone: "ok" | "warn" | "neutral" | "bad" }
> = {
  open: { word: "Waiting for the payment", tone: "warn" },
  completed: { word: "Paid", tone: "ok" },
  expired: { word: "Expired, not paid", tone: "neutral" },
  failed: { word: "Payment failed", tone: "neutral" },
  mismatch: { word: "Not as ordered", tone: "bad" },
};
