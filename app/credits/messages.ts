import { CREDIT_PACKAGE } from "~/catalogue/prices";
import { formatCredits } from "./format-credits";

/** The sentences of User Credits and of `/api/credits`: what failed, what was and was not done, the next step. */

const NOTHING_CHANGED = "Nothing was changed.";
const NOTHING_CHARGED = "Nothing was charged.";

// Users

export function formatUserCreated(displayName: string, username: string): string {
  return `Created ${displayName} (${username}). They have no credits yet.`;
}

// Adding and deducting by hand

export const MISSING_FIELDS = "Please fill in all fields";
/** Credits that one adjustment may add or deduct. */
export const MAX_ADJUSTMENT = 1_000_000;
const AMOUNTS = `1 to ${MAX_ADJUSTMENT.toLocaleString("en-GB")}`;
export const AMOUNT_HINT = `Whole number from ${AMOUNTS}`;
export const AMOUNT_RANGE = `must be a whole number from ${AMOUNTS}`;

export const KEY_REUSED_MESSAGE =
  "This form was already used for another adjustment, so nothing more was changed. Check the history, then start again.";

type Action = "add" | "deduct";

/** @param problems what is wrong, field by field */
export function formatBadAdjustment(problems: string): string {
  return `The adjustment is not valid: ${problems}. ${NOTHING_CHANGED}`;
}

/** "Successfully added 5 credits to Ana Ruiz". */
export function formatAdjusted(action: Action, amount: number, displayName: string): string {
  const [done, direction] = action === "add" ? ["added", "to"] : ["deducted", "from"];
  return `Successfully ${done} ${formatCredits(amount)} ${direction} ${displayName}`;
}

export function formatAdjustFailed(action: Action, reason: string): string {
  return `Failed to ${action} credits: ${reason}`;
}

/** Where the server does not know why. */
export function formatAdjustError(action: Action): string {
  return `Error ${action}ing credits`;
}

/** @param most the highest balance, in credits */
export function formatBalanceTooHigh(most: number): string {
  return `A balance can have ${most.toLocaleString("en")} credits at most. ${NOTHING_CHANGED}`;
}

/** In credits. */
export function formatNotEnough(displayName: string, balance: number, held: number): string {
  const parts = held > 0 ? ` (balance ${balance}, held ${held})` : "";
  return `${displayName} has ${formatCredits(balance - held)} available${parts}. ${NOTHING_CHANGED}`;
}

// Buying

export const STRIPE_NOT_CONFIGURED = `Card payment is not configured: STRIPE_SECRET_KEY is not set on the server. ${NOTHING_CHARGED}`;

export const SELECT_A_USER = "Please select a user.";
export const WRONG_PACKAGE = `One checkout buys ${CREDIT_PACKAGE.credits} credits. Leave out \`credits\`, or send ${CREDIT_PACKAGE.credits}. ${NOTHING_CHARGED}`;
export const NOT_OUR_ADDRESS = "must be an address of this console";
export const CHECKOUT_NOT_NOTED = `The database is not available. ${NOTHING_CHARGED} Try again in a moment.`;
export const CHECKOUT_TOO_LATE = `Stripe took too long to open the payment page. ${NOTHING_CHARGED} Try again.`;

export const CHECKOUT_UNANSWERED = "Failed to create checkout session";

export function formatCheckoutFailed(reason: string): string {
  return `Failed to start checkout process: ${reason}`;
}

/** @param problems what is wrong, field by field */
export function formatBadOrder(problems: string): string {
  return `${problems}. ${NOTHING_CHARGED}`;
}

/** @param name of the parameter */
export function formatNotOurAddress(name: string, appOrigin: string): string {
  return `${name} ${NOT_OUR_ADDRESS}, starting with ${appOrigin}/`;
}

export function formatAddressTooLong(name: string, most: number): string {
  return `${name} may have ${most.toLocaleString("en")} characters at most`;
}

/** @param reason Stripe's, a whole sentence */
export function formatNoPaymentPage(reason: string, canRetry: boolean): string {
  return `${reason} ${NOTHING_CHARGED}${canRetry ? " Try again in a moment." : ""}`;
}

// Coming back from the payment

export const PAID_MESSAGE = "Payment successful! Your credits have been added.";
export const CANCELED_MESSAGE = "Payment was canceled. No charges were made.";

// Outcomes of a payment: notes on the purchase, shown under "needs a decision"

export const PAGE_NOT_OPENED = "Stripe did not open a payment page.";

export const PAYMENT_UNKNOWN = "Stripe does not know this payment with the configured key.";
export const PAYMENT_DISPUTED = "The payment is disputed at Stripe.";
export const NO_ROOM = "The balance would be higher than allowed with these credits.";
export const EVENT_UNKNOWN_PAYMENT =
  "Stripe does not know this payment with the console's key. Nothing was stored.";
export const NO_SUCH_PAYMENT = "There is no such payment here.";
export const NO_CREDIT_NOTE =
  "Stripe has no credit note for this refund. Issue one in its dashboard, or use the receipt, which shows the refund.";
export const NO_RECEIPT = "Stripe has no receipt for this purchase.";

export function formatRefunded(refunded: string, paid: string): string {
  return `Stripe refunded ${refunded} of ${paid}.`;
}

/** @param outcome Stripe's word: `won`, `lost` */
export function formatDisputeClosed(outcome: string): string {
  const lost = outcome === "lost" ? " The money went back to the buyer: decide about the credits." : "";
  return `The dispute ended at Stripe: ${outcome.replaceAll("_", " ")}.${lost}`;
}

export function formatRefundFailed(amount: string): string {
  return `A refund of ${amount} failed at Stripe: the buyer did not get it. Repeat it there, or pay it in another way.`;
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

/** @param problems what is wrong, field by field */
export function formatBadFilter(problems: string): string {
  return `This filter is not valid: ${problems}.`;
}
