import { checkPayment } from "~/credits/purchases/payment-check";
import type { PaymentPage } from "~/outside/stripe/payment-page.server";
import type { StripeBooks, StripeCharge, StripeReversal } from "~/outside/stripe/payments.server";
import { formatIsoDay, HOUR_MS } from "~/platform/time";
import { STRIPE_FINDINGS } from "../messages";
import type { Period } from "../reconciliation";

/** A purchase in our books, in any state. */
export interface OurPurchase {
  id: string;
  /** Display name of the user who got the credits. */
  buyer: string;
  credits: number;
  amountCents: number;
  currency: string;
  state: string;
  stripeSessionId: string | null;
  /** `refunded` or `disputed`, once known here. */
  flag: string | null;
  createdAt: Date;
}

type StripeFindingKind = keyof typeof STRIPE_FINDINGS;

export interface StripeFinding {
  kind: StripeFindingKind;
  /** Our id of the purchase, or another Mailroom's for `unknown`. */
  checkoutId: string;
  /** Null for a purchase that is not known here. */
  buyer: string | null;
  /** The problem and its next step, in sentences. */
  what: string;
  next: string;
  /** Stripe's id of the refund, dispute or charges; null when it concerns the whole purchase. */
  stripeId: string | null;
}

/** Sums of one currency, in its smallest unit. */
interface StripeTotals {
  currency: string;
  ours: { purchases: number; credits: number; cents: number };
  theirs: { purchases: number; credits: number; cents: number };
  refundedCents: number;
}

export interface StripeComparison {
  /** Purchases that were paid once, as ordered. */
  agreed: number;
  findings: StripeFinding[];
  /** Charges of the account that no Mailroom sold. */
  foreign: number;
  /** Payments of the last hour, to be compared later. */
  waiting: number;
  /** Completed purchases of the days, and what Stripe was paid for them, by currency. */
  totals: StripeTotals[];
  /** Payments for our purchases and Stripe's fees, by currency. */
  money: { currency: string; paidCents: number; feeCents: number }[];
}

/** Stripe's record of one purchase. */
interface There {
  page: PaymentPage | undefined;
  charges: StripeCharge[];
  refunds: StripeReversal[];
  disputes: StripeReversal[];
}

/**
 * Compares purchases with Stripe's lists: each should be paid once, and each payment for credits should be a purchase.
 * @param ours purchases of the days, and those of other days that Stripe's rows name
 */
export function compareStripe(
  ours: readonly OurPurchase[],
  books: StripeBooks,
  { isLive, now, period }: { isLive: boolean; now: Date; period: Period },
): StripeComparison {
  const known = new Set(ours.map(({ id }) => id));
  const result: StripeComparison = {
    agreed: 0,
    findings: [],
    foreign: books.charges.filter(({ checkoutId }) => checkoutId === null).length,
    waiting: 0,
    totals: [],
    money: sumMoney(books.charges.filter(({ checkoutId }) => checkoutId !== null && known.has(checkoutId))),
  };
  for (const purchase of ours) {
    const there = findThere(purchase, books);
    const differences = findDifferences(purchase, there, isLive);
    if (differences.some(({ kind }) => kind === "not_booked") && isFresh(there, now)) {
      result.waiting += 1;
      continue;
    }
    const day = formatIsoDay(purchase.createdAt);
    if (day >= period.from && day <= period.to) addToTotals(result.totals, purchase, there);
    for (const difference of differences) {
      result.findings.push({
        ...difference,
        checkoutId: purchase.id,
        buyer: purchase.buyer,
        ...STRIPE_FINDINGS[difference.kind],
      });
    }
    if (differences.length === 0 && purchase.state === "completed") result.agreed += 1;
  }
  const others = books.charges.flatMap(({ checkoutId, isPaid }) =>
    checkoutId !== null && isPaid && !known.has(checkoutId) ? [checkoutId] : [],
  );
  for (const checkoutId of new Set(others)) {
    result.findings.push({
      kind: "unknown",
      stripeId: null,
      checkoutId,
      buyer: null,
      ...STRIPE_FINDINGS.unknown,
    });
  }
  return result;
}

function addToTotals(all: StripeTotals[], purchase: OurPurchase, { page, charges }: There): void {
  const { currency, credits, amountCents, state } = purchase;
  const none = { purchases: 0, credits: 0, cents: 0 };
  const totals = all.find((one) => one.currency === currency) ?? {
    currency,
    ours: none,
    theirs: none,
    refundedCents: 0,
  };
  if (!all.includes(totals)) all.push(totals);
  const isPaid = page?.payment === "paid";
  // A payment whose charge is not listed is known only by its page.
  const paid =
    charges.length > 0 ? charges.map((one) => one.amountCents) : isPaid ? [page.amountCents ?? 0] : [];
  if (state === "completed") totals.ours = add(totals.ours, credits, [amountCents]);
  totals.theirs = add(totals.theirs, credits, paid);
  totals.refundedCents += charges.reduce((sum, charge) => sum + charge.refundedCents, 0);
}

function add(sum: StripeTotals["ours"], credits: number, paid: number[]): StripeTotals["ours"] {
  return {
    purchases: sum.purchases + paid.length,
    credits: sum.credits + paid.length * credits,
    cents: paid.reduce((all, cents) => all + cents, sum.cents),
  };
}

function findThere({ id, stripeSessionId }: OurPurchase, books: StripeBooks): There {
  const isOwn = ({ checkoutId }: { checkoutId: string | null }) => checkoutId === id;
  return {
    page: books.pages.find((page) => page.id === stripeSessionId) ?? books.pages.find(isOwn),
    charges: books.charges.filter((charge) => isOwn(charge) && charge.isPaid),
    refunds: books.refunds.filter(isOwn),
    disputes: books.disputes.filter(isOwn),
  };
}

function findDifferences(
  purchase: OurPurchase,
  there: There,
  isLive: boolean,
): Pick<StripeFinding, "kind" | "stripeId">[] {
  const { page, charges, refunds, disputes } = there;
  const found: Pick<StripeFinding, "kind" | "stripeId">[] = [];
  const add = (kind: StripeFindingKind, stripeId: string | null = null) => found.push({ kind, stripeId });
  const checked = page && checkPayment(purchase, page, isLive).kind;
  const isPaid = charges.length > 0 || page?.payment === "paid";
  if (purchase.state === "completed") {
    if (!page && charges.length === 0) add("missing");
    else if (checked !== undefined && checked !== "book") add("not_paid");
    if (charges.length > 1) add("twice", charges.map(({ id }) => id).join(", "));
    for (const { id } of charges.filter((charge) => isUnlike(charge, purchase))) add("amount", id);
  } else if (isPaid && purchase.state !== "mismatch") {
    // A mismatch has an alarm of its own.
    add("not_booked");
  }
  if (purchase.flag === null) {
    for (const { id, refundedCents } of charges)
      if (refundedCents > 0) add("refunded", `${id}, ${refundedCents} cents`);
  }
  if (purchase.flag !== "disputed") for (const { id } of disputes) add("disputed", id);
  for (const { id, status } of refunds) if (status === "failed") add("refund_failed", id);
  return found;
}

/** True when the charge, or the amount that reached the balance, is not the price. A balance of another currency is not compared. */
function isUnlike(charge: StripeCharge, { amountCents, currency }: OurPurchase): boolean {
  const { balance } = charge;
  return (
    charge.amountCents !== amountCents ||
    charge.currency !== currency ||
    (balance !== null && balance.currency === currency && balance.amountCents !== amountCents)
  );
}

/** True during the hour that the webhook, the return and recovery have to book a payment. */
function isFresh({ charges }: There, now: Date): boolean {
  return charges.some(({ createdAt }) => now.getTime() - createdAt.getTime() < HOUR_MS);
}

function sumMoney(charges: readonly StripeCharge[]): StripeComparison["money"] {
  const sums = new Map<string, { currency: string; paidCents: number; feeCents: number }>();
  for (const { balance } of charges) {
    if (!balance) continue;
    const { currency } = balance;
    const sum = sums.get(currency) ?? { currency, paidCents: 0, feeCents: 0 };
    sum.paidCents += balance.amountCents;
    sum.feeCents += balance.feeCents;
    sums.set(currency, sum);
  }
  return [...sums.values()];
}
