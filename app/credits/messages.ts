import { formatCredits } from "./format-credits";

export function formatUserCreated(displayName: string, username: string): string {
  return `Created ${displayName} (${username}). They have no credits yet.`;
}

export const MISSING_FIELDS = "Please fill in all fields";
/** Credits that one adjustment may add or deduct. */
export const MAX_ADJUSTMENT = 1_000_000;
const AMOUNTS = `1 to ${MAX_ADJUSTMENT.toLocaleString("en-GB")}`;
export const AMOUNT_HINT = `Whole number from ${AMOUNTS}`;
export const AMOUNT_RANGE = `must be a whole number from ${AMOUNTS}`;

export const KEY_REUSED_MESSAGE =
  "This form was already used for another adjustment, so nothing more was changed. Check the history, then start again.";

type Action = "add" | "deduct";

/** "Successfully added 5 credits to Ana Ruiz". */
export function formatAdjusted(action: Action, amount: number, displayName: string): string {
  const [done, direction] = action === "add" ? ["added", "to"] : ["deducted", "from"];
  return `Successfully ${done} ${formatCredits(amount)} ${direction} ${displayName}`;
}

export function formatAdjustFailed(action: Action, reason: string): string {
  return `Failed to ${action} credits: ${reason}`;
}

/** Reports a failure whose reason the server does not know. */
export function formatAdjustError(action: Action): string {
  return `Error ${action}ing credits`;
}

export function formatNotEnough(displayName: string, balance: number, held: number): string {
  const parts = held > 0 ? ` (balance ${balance}, reserved ${held})` : "";
  return `${displayName} has ${formatCredits(balance - held)} available${parts}. Nothing was changed.`;
}

export const SELECT_A_USER = "Please select a user.";

export const NOT_OUR_ADDRESS = "must be an address of this console";

export const CHECKOUT_UNANSWERED = "Failed to create checkout session";

export function formatCheckoutFailed(reason: string): string {
  return `Failed to start checkout process: ${reason}`;
}

export function formatBadOrder(problems: string): string {
  return `${problems}. Nothing was charged.`;
}

export function formatNotOurAddress(name: string, appOrigin: string): string {
  return `${name} ${NOT_OUR_ADDRESS}, starting with ${appOrigin}/`;
}

export const PAID_MESSAGE = "Payment successful! Your credits have been added.";
export const CANCELED_MESSAGE = "Payment was canceled. No charges were made.";

export const NO_SUCH_PAYMENT = "There is no such payment here.";

export function formatRefunded(refunded: string, paid: string): string {
  return `Stripe refunded ${refunded} of ${paid}.`;
}

export function formatWrongMode(paidLive: boolean, keyLive: boolean): string {
  const name = (live: boolean) => (live ? "live" : "test");
  return `The payment was made in ${name(paidLive)} mode, but the key is for ${name(keyLive)} mode.`;
}

/** Amounts in the smallest unit of their currency. */
export function formatWrongAmount(
  paid: { amountCents: number | null; currency: string | null },
  ordered: { amountCents: number; currency: string },
): string {
  const sum = paid.amountCents === null ? "nothing" : `${paid.amountCents} ${paid.currency}`;
  return `Stripe took ${sum} instead of ${ordered.amountCents} ${ordered.currency} (in the smallest unit).`;
}

export function formatBadFilter(problems: string): string {
  return `This filter is not valid: ${problems}.`;
}
