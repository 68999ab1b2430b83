import { type Checkout, storePayments } from "~/credits/purchases/checkout-record.server";
import type { PurchaseFlag } from "~/credits/purchases/checkout-state";
import { checkPayment } from "~/credits/purchases/complete-checkout.server";
import { isLiveKey } from "~/outside/stripe/client.server";
import { listPayments, type StripeBooks, type StripeCharge } from "~/outside/stripe/payments.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, HOUR_MS } from "~/platform/time";
import { Prisma } from "../../prisma/client/client";
import { endOf, isWithin, type Period } from "./reconciliation";

/** Problems of one purchase, each with its next step. */
const STRIPE_FINDINGS = {
  missing: {
    what: "Its credits were added, but Stripe lists no such payment.",
    next: "Search for it in Stripe's dashboard. If it was never paid, deduct its credits.",
  },
  not_paid: {
    what: "Its credits were added, but at Stripe it is not paid as ordered.",
    next: "Check the payment in Stripe's dashboard. If it was never paid, deduct its credits.",
  },
  twice: {
    what: "Stripe charged the buyer more than once for it.",
    next: "Refund all but one charge in Stripe's dashboard.",
  },
  amount: {
    what: "Stripe charged another amount than its price.",
    next: "Check the payment in Stripe's dashboard, then correct the credits or refund the difference.",
  },
  not_booked: {
    what: "It is paid at Stripe, but its credits were not added.",
    next: "Add its credits under User Credits, or refund the payment in Stripe's dashboard.",
  },
  refunded: {
    what: "It was refunded at Stripe, and Mailroom got no event of it.",
    next: "Decide whether its credits are to be deducted. Check that Stripe's events reach this console.",
  },
  disputed: {
    what: "It is disputed at Stripe, and Mailroom got no event of it.",
    next: "Answer the dispute in Stripe's dashboard. Check that Stripe's events reach this console.",
  },
  refund_failed: {
    what: "A refund of it failed at Stripe, so the buyer did not get the money.",
    next: "Pay it back in another way, as Stripe's dashboard advises.",
  },
  unknown: {
    what: "It was paid with a reference of Mailroom, but there is no such purchase here.",
    next: "Compare in any other Mailroom that uses this Stripe account. If there is none, refund the payment.",
  },
};

/** A purchase in our books, in any state. */
interface OurPurchase
  extends Pick<Checkout, "id" | "credits" | "amountCents" | "currency" | "state" | "stripeSessionId"> {
  /** Display name of the user who got the credits. */
  buyer: string;
  flag: PurchaseFlag | null;
  createdAt: Date;
}

export interface StripeFinding {
  kind: keyof typeof STRIPE_FINDINGS;
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

const NO_SUMS = { purchases: 0, credits: 0, cents: 0 };
type Sums = typeof NO_SUMS;

export interface StripeReconciliation {
  period: Period;
  /** True when everything could be compared. */
  isComplete: boolean;
  /** Purchases that were paid once, as ordered. */
  agreed: number;
  findings: StripeFinding[];
  /** Charges of the days that no Mailroom sold. */
  foreign: number;
  /** Payments of the last hour, to be compared later. */
  waiting: number;
  /** Completed purchases of the days, and what Stripe was paid for them, by currency, in its smallest unit. */
  totals: { currency: string; ours: Sums; theirs: Sums; refundedCents: number }[];
  /** Payments for our purchases of the days and Stripe's fees, by currency. */
  money: { currency: string; paidCents: number; feeCents: number }[];
}

/** Stripe's record of one purchase. */
type StripeRecord = ReturnType<typeof findStripeRecord>;

/** A payment page lives for a day, and a slow payment takes longer. */
const PAD_MS = 2 * DAY_MS;

/**
 * Compares the purchases of these days with Stripe: payment pages, charges and fees, refunds, disputes. Changes no credits and no state, but
 * stores the numbers of invoices. Fails as Stripe and the database do.
 */
export async function reconcileStripe(
  period: Period,
  { run = withDatabase }: { run?: typeof withDatabase } = {},
): Promise<Outcome<StripeReconciliation>> {
  const from = new Date(period.from);
  const end = endOf(period);
  const books = await listPayments(new Date(from.getTime() - PAD_MS), new Date(end.getTime() + PAD_MS));
  if (!books.ok) return books;
  // A page is often paid before Stripe has numbered its invoice.
  const stored = await run((db) => storePayments(db, books.value.pages));
  if (!stored.ok) return stored;
  const ours = await run((db) => loadPurchases(db, from, end, books.value));
  if (!ours.ok) return ours;
  return succeed(compareStripe(ours.value, books.value, { isLive: isLiveKey(), now: new Date(), period }));
}

/** Loads our purchases of the days, and those that Stripe's rows name. */
function loadPurchases(db: Db, from: Date, end: Date, books: StripeBooks): Promise<OurPurchase[]> {
  const { pages, charges, refunds, disputes } = books;
  const named = [...pages, ...charges, ...refunds, ...disputes].flatMap(({ checkoutId }) => checkoutId ?? []);
  const ids = Prisma.sql`c.id = ANY(${[...new Set(named)]}::text[])`;
  return db.$queryRaw<OurPurchase[]>`
    SELECT c.id, u.display_name AS buyer, c.credits, c.amount_cents AS "amountCents", c.currency, c.state,
      c.stripe_session_id AS "stripeSessionId", c.flag, c.created_at AS "createdAt"
    FROM checkout_sessions c JOIN users u ON u.id = c.user_id
    WHERE (c.created_at >= ${from}::timestamptz AND c.created_at < ${end}::timestamptz) OR ${ids}
    ORDER BY c.created_at, c.id`;
}

/**
 * Compares purchases with Stripe's lists: each should be paid once, and each payment for credits should be a purchase.
 * @param ours purchases of the days, and those of other days that Stripe's rows name
 */
function compareStripe(
  ours: readonly OurPurchase[],
  books: StripeBooks,
  { isLive, now, period }: { isLive: boolean; now: Date; period: Period },
): StripeReconciliation {
  const known = new Set(ours.map(({ id }) => id));
  const isOfPeriod = ({ createdAt }: { createdAt: Date }) => isWithin(createdAt, period);
  const sold = new Set(ours.filter(isOfPeriod).map(({ id }) => id));
  const result: StripeReconciliation = {
    period,
    isComplete: books.isComplete,
    agreed: 0,
    findings: [],
    foreign: books.charges.filter((charge) => charge.checkoutId === null && isOfPeriod(charge)).length,
    waiting: 0,
    totals: [],
    money: sumMoney(books.charges.filter(({ checkoutId }) => checkoutId !== null && sold.has(checkoutId))),
  };
  for (const purchase of ours) {
    const record = findStripeRecord(purchase, books);
    const differences = findDifferences(purchase, record, isLive);
    if (differences.some(({ kind }) => kind === "not_booked") && isFresh(record, now)) {
      if (sold.has(purchase.id)) result.waiting += 1;
      continue;
    }
    if (sold.has(purchase.id)) addToTotals(result.totals, purchase, record);
    for (const { kind, stripeId } of differences) {
      const { id: checkoutId, buyer } = purchase;
      result.findings.push({ kind, stripeId, checkoutId, buyer, ...STRIPE_FINDINGS[kind] });
    }
    if (sold.has(purchase.id) && differences.length === 0 && purchase.state === "completed")
      result.agreed += 1;
  }
  const others = books.charges.flatMap(({ checkoutId, isPaid }) =>
    checkoutId !== null && isPaid && !known.has(checkoutId) ? [checkoutId] : [],
  );
  for (const checkoutId of new Set(others)) {
    const unknown = { kind: "unknown", stripeId: null, checkoutId, buyer: null } as const;
    result.findings.push({ ...unknown, ...STRIPE_FINDINGS.unknown });
  }
  return result;
}

function addToTotals(
  all: StripeReconciliation["totals"],
  { currency, credits, amountCents, state }: OurPurchase,
  { page, charges }: StripeRecord,
): void {
  const empty = { currency, ours: NO_SUMS, theirs: NO_SUMS, refundedCents: 0 };
  const totals = all.find((one) => one.currency === currency) ?? empty;
  if (!all.includes(totals)) all.push(totals);
  const isPaid = page?.payment === "paid";
  // A payment whose charge is not listed is known only by its page.
  const paid =
    charges.length > 0 ? charges.map((one) => one.amountCents) : isPaid ? [page.amountCents ?? 0] : [];
  if (state === "completed") totals.ours = add(totals.ours, credits, [amountCents]);
  totals.theirs = add(totals.theirs, credits, paid);
  totals.refundedCents += charges.reduce((sum, charge) => sum + charge.refundedCents, 0);
}

function add(sum: Sums, credits: number, paid: number[]): Sums {
  return {
    purchases: sum.purchases + paid.length,
    credits: sum.credits + paid.length * credits,
    cents: paid.reduce((all, cents) => all + cents, sum.cents),
  };
}

function findStripeRecord({ id, stripeSessionId }: OurPurchase, books: StripeBooks) {
  const isOwn = ({ checkoutId }: { checkoutId: string | null }) => checkoutId === id;
  return {
    page: books.pages.find((page) => page.id === stripeSessionId) ?? books.pages.find(isOwn),
    charges: books.charges.filter((charge) => isOwn(charge) && charge.isPaid),
    refunds: books.refunds.filter(isOwn),
    disputes: books.disputes.filter(isOwn),
  };
}

function findDifferences(purchase: OurPurchase, record: StripeRecord, isLive: boolean) {
  const { page, charges, refunds, disputes } = record;
  const found: Pick<StripeFinding, "kind" | "stripeId">[] = [];
  const addFinding = (kind: StripeFinding["kind"], stripeId: string | null = null) =>
    found.push({ kind, stripeId });
  const checked = page && checkPayment(purchase, page, isLive).kind;
  const isPaid = charges.length > 0 || page?.payment === "paid";
  if (purchase.state === "completed") {
    if (!page && charges.length === 0) addFinding("missing");
    else if (checked !== undefined && checked !== "book") addFinding("not_paid");
    if (charges.length > 1) addFinding("twice", charges.map(({ id }) => id).join(", "));
    for (const { id } of charges.filter((charge) => isUnlike(charge, purchase))) addFinding("amount", id);
  } else if (isPaid && purchase.state !== "mismatch") {
    // A mismatch has an alarm of its own.
    addFinding("not_booked");
  }
  if (purchase.flag === null) {
    for (const { id, refundedCents } of charges)
      if (refundedCents > 0) addFinding("refunded", `${id}, ${refundedCents} cents`);
  }
  if (purchase.flag !== "disputed") for (const { id } of disputes) addFinding("disputed", id);
  for (const { id, status } of refunds) if (status === "failed") addFinding("refund_failed", id);
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
function isFresh({ charges }: StripeRecord, now: Date): boolean {
  return charges.some(({ createdAt }) => now.getTime() - createdAt.getTime() < HOUR_MS);
}

function sumMoney(charges: readonly StripeCharge[]): StripeReconciliation["money"] {
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
