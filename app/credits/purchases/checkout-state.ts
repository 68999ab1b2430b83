import { buildAddress } from "~/platform/url";

export type CheckoutState = "open" | "completed" | "expired" | "failed" | "mismatch";
export type PurchaseFlag = "refunded" | "disputed";

/** States and flags of a purchase in words, and the tone of the badge. */
export const CHECKOUT_STATES: Record<
  CheckoutState | PurchaseFlag,
  { word: string; tone: "ok" | "warn" | "neutral" | "bad" }
> = {
  open: { word: "Waiting for the payment", tone: "warn" },
  completed: { word: "Paid", tone: "ok" },
  expired: { word: "Expired, not paid", tone: "neutral" },
  failed: { word: "Payment failed", tone: "neutral" },
  mismatch: { word: "Not as ordered", tone: "bad" },
  refunded: { word: "Refunded", tone: "bad" },
  disputed: { word: "Disputed", tone: "bad" },
};

/** Groups of the list of purchases, by flag, or else by state. */
export const PURCHASE_GROUPS: readonly {
  name: string;
  label: string;
  has: readonly (CheckoutState | PurchaseFlag)[];
}[] = [
  { name: "all", label: "All", has: Object.keys(CHECKOUT_STATES) as CheckoutState[] },
  { name: "paid", label: "Paid", has: ["completed"] },
  { name: "open", label: "Open", has: ["open"] },
  { name: "failed", label: "Failed", has: ["failed", "expired", "mismatch"] },
  { name: "reversed", label: "Refunded or disputed", has: ["refunded", "disputed"] },
];

/** Address of a page of the list. @param group of {@link PURCHASE_GROUPS} */
export function purchasesAddress(group: string, cursor?: string): string {
  return buildAddress("/purchases", { show: group === "all" ? null : group, cursor });
}
