import { CREDIT_PACKAGE } from "~/catalogue/prices";
import { formatCredits } from "./format-credits";

/** The sentences of User Credits and of `/api/credits`: what failed, what was and was not done, the next step. */

const NOTHING_CHANGED = "Nothing was changed.";
const NOTHING_CHARGED = "Nothing was charged.";

// Users

export function formatUserCreated(displayName: string, username: string): string {
  return `Created ${displayName} (${username}). They have no credits yet.`;
}

// Limits

/** On the profile. @param limits of `APPROVAL_ABOVE_CREDITS`; null: no one has to approve anything */
export function formatApprovalLimits(limits: { lists: number; pieces: number | null } | null): string {
  if (limits === null) return "Lists are started without another person's approval.";
  const { lists, pieces } = limits;
  if (pieces === null) return "Another person has to approve each list before it is started.";
  return `Another person has to approve each list that costs more than ${formatCredits(lists)}. One piece that costs more is sent as a list, too.`;
}

// Adding and deducting by hand

export const MISSING_FIELDS = "Please fill in all fields";
/** Credits that one adjustment may add or deduct. */
export const MAX_ADJUSTMENT = 1_000_000;
const AMOUNTS = `1 to ${MAX_ADJUSTMENT.toLocaleString("en-GB")}`;
export const AMOUNT_HINT = `Whole number from ${AMOUNTS}`;
export const AMOUNT_RANGE = `must be a whole number from ${AMOUNTS}`;
export const DESCRIPTION_HINT = "Reason (kept permanently)";
export const CHOOSE_A_USER = "Choose a user.";
export const NO_ADJUSTMENTS =
  "No adjustments yet. Each one is listed here with the person who made it, and kept permanently.";
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
  return `Successfully ${done} ${amount} credits ${direction} ${displayName}`;
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
  return `${displayName} has ${balance - held} credits available${parts}. ${NOTHING_CHANGED}`;
}

// Buying

export const STRIPE_NOT_CONFIGURED = `Card payment is not configured: STRIPE_SECRET_KEY is not set on the server. ${NOTHING_CHARGED}`;
export const PURCHASE_NOT_CONFIGURED =
  "Set STRIPE_SECRET_KEY and restart the console. Until then, add credits under Manage Credits.";
export const BACK_TO_DRAFT = "You will return to your draft after the payment.";
/** @param missing credits that its payer lacks */
export function formatListNeeds(name: string, missing: number): string {
  return missing === 0
    ? `There are enough credits for the list ${name}.`
    : `The list ${name} needs ${formatCredits(missing)} more. One purchase adds ${CREDIT_PACKAGE.credits}.`;
}

export const PAY_AT_STRIPE =
  "You pay on Stripe’s page, so your card number never reaches this console. The credits are added when Stripe confirms the payment.";
export const SELECT_A_USER = "Please select a user.";
export const WRONG_PACKAGE = `Credits are sold in packages of ${CREDIT_PACKAGE.credits}. ${NOTHING_CHARGED}`;
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
export const CONFIRMING_MESSAGE =
  "Stripe is confirming your payment. Your credits are added as soon as that is done; do not pay again.";
export const FAILED_MESSAGE = "The payment failed, so no credits were added. You can try again.";
export const EXPIRED_MESSAGE =
  "The payment page expired before you paid. No charges were made; you can start again.";
export const PAYMENT_NOT_FOUND = "You have no recent payment. The transaction history lists every purchase.";

/** @param id ours */
export function formatPaymentMismatch(id: string): string {
  return `Your payment does not match the order, so no credits were added. Give the operator of this console the payment number ${id}.`;
}

// Outcomes of a payment: notes on the purchase, shown under "needs a decision"

export const PAGE_NOT_OPENED = "Stripe did not open a payment page.";
export const PAGE_EXPIRED = "The payment page expired before it was paid.";
export const PAYMENT_FAILED = "The payment failed.";
export const PAYMENT_FREE = "Stripe did not ask for any payment.";
export const PAYMENT_REFUNDED = "Stripe refunded the payment before its credits were added.";
export const PAYMENT_FOREIGN = "The payment at Stripe belongs to another purchase.";
export const PAYMENT_UNKNOWN = "Stripe does not know this payment with the configured key.";
export const PAYMENT_DISPUTED = "The payment is disputed at Stripe.";
export const NO_ROOM = "The balance would be higher than allowed with these credits.";
export const EVENT_UNKNOWN_PAYMENT =
  "Stripe does not know this payment with the console's key. Nothing was stored.";
export const NO_SUCH_PAYMENT = "There is no such payment here.";

export function formatRefunded(refundedCents: number, ofCents: number): string {
  return `Stripe refunded ${refundedCents} of ${ofCents} cents.`;
}

/** @param outcome Stripe's word: `won`, `lost` */
export function formatDisputeClosed(outcome: string): string {
  const lost = outcome === "lost" ? " The money went back to the buyer: decide about the credits." : "";
  return `The dispute ended at Stripe: ${outcome.replaceAll("_", " ")}.${lost}`;
}

export function formatRefundFailed(cents: number): string {
  return `A refund of ${cents} cents failed at Stripe: the buyer did not get it. Repeat it there, or pay it in another way.`;
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

// A purchase and what it paid for

export const FIFO_RULE =
  "Credits are spent in the order in which they came. What is refunded goes to the end of the queue.";
export const NOT_SPENT_YET = "None of these credits has been spent yet: older ones are spent first.";
export const ASKED_STRIPE = "Stripe was asked. This page shows what it says now.";

/** "Postcard to Ana Lopez"; a deduction by its reason. */
export function formatUse({
  mailType,
  addressee,
  description,
}: {
  mailType: string | null;
  addressee: string | null;
  description: string;
}): string {
  if (mailType === null) return `Deducted by hand: ${description}`;
  const kind = mailType === "letter" ? "Letter" : "Postcard";
  return addressee === null ? description : `${kind} to ${addressee}`;
}

// Spending

export const SPENDING_RULE =
  "A piece counts in the month in which it was sent. Credits are without refunds. Per credit is what the person's purchases had cost by the end of the month; credits added by hand have no price. The margin is what the credits were worth, less the provider's prices.";
export const NO_CURRENCY =
  "The provider's answers do not name a currency: set STANNP_CURRENCY to see the margin.";
export const NO_SPEND_IN_MONTH = "No live mail was sent in this month.";

/** @param top the day with the most */
export function formatSpentInMonth(
  credits: number,
  top: { day: string; letters: number; postcards: number } | null,
): string {
  if (credits === 0 || top === null) return "No credits were spent.";
  return `${formatCredits(credits)} in all, most of them on ${top.day}: ${top.letters + top.postcards}.`;
}

// Overview and history

export const LOW_BALANCE_HINT = "Live mail that cannot be paid for is refused before it is sent.";
export const NO_SPEND = "No credits were spent on mail in this time.";
export const NO_TRANSACTIONS = "No transactions yet. Purchases, mail, refunds and adjustments appear here.";
export const NO_MATCHING_TRANSACTIONS = "No transactions match this filter.";

/** @param problems what is wrong, field by field */
export function formatBadFilter(problems: string): string {
  return `This filter is not valid: ${problems}.`;
}

// The tab itself

export const LOG_IN_FOR_CREDITS = "to see balances, purchases and the history.";
export const UNTIL_CONFIGURED = "Until then no live mail is sent. Tests and reads work.";

/** In place of the form, for a person who is no admin. */
export const ADMINS_ADJUST = "Only admins can adjust credits. Ask one of them, or buy credits by card.";
