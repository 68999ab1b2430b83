import { formatInteger } from "~/platform/format-integer";

export const MISSING_FIELDS = "Please fill in all fields";
/** Credits that one adjustment may add or deduct. */
export const MAX_ADJUSTMENT = 1_000_000;
const AMOUNTS = `1 to ${formatInteger(MAX_ADJUSTMENT)}`;
export const AMOUNT_HINT = `Whole number from ${AMOUNTS}`;
export const AMOUNT_RANGE = `must be a whole number from ${AMOUNTS}`;

/** Reports a failure whose reason the server does not know. */
export function formatAdjustError(action: "add" | "deduct"): string {
  return `Error ${action}ing credits`;
}

export const NOT_OUR_ADDRESS = "must be an address of this console";

export function formatCheckoutFailed(reason: string): string {
  return `Failed to start checkout process: ${reason}`;
}

export function formatBadOrder(problems: string): string {
  return `${problems}. Nothing was charged.`;
}

export const PAID_MESSAGE = "Payment successful! Your credits have been added.";
export const CANCELED_MESSAGE = "Payment was canceled. No charges were made.";

export const NO_SUCH_PAYMENT = "There is no such payment here.";

export function formatBadFilter(problems: string): string {
  return `This filter is not valid: ${problems}.`;
}
