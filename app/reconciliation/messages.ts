import { formatCredits } from "~/credits/format-credits";
import type { Finding, Listed } from "./reconciliation";

/** A problem and its next step. */
type Explained = Pick<Finding, "what" | "next">;

interface Charged {
  /** `letter` or `postcard` */
  type: string;
  /** Credits charged for it, by the ledger. */
  paid: number;
  /** Its price in credits. */
  cost: number;
}

export const FINDINGS = {
  missing: ({ type, paid }: Charged, isYoung: boolean): Explained => ({
    what: `${formatCredits(paid)} charged here, but the provider lists no such ${type}.`,
    next: isYoung
      ? "Its list may be late: compare again tomorrow."
      : `Ask the provider. If it was never mailed, add ${formatCredits(paid)} under User Credits.`,
  }),
  stopped: ({ paid }: Charged): Explained => ({
    what: `The provider cancelled it, but it is still charged here (${formatCredits(paid)}).`,
    next: "Refresh its status in Mail Management: the credits are then refunded.",
  }),
  twice: (mailIds: string[]): Explained => ({
    what: `The provider has ${mailIds.length} pieces for this one: ${mailIds.join(", ")}.`,
    next: "Cancel all but one at the provider while their status is received.",
  }),
  type: ({ type }: Charged, listedType: string): Explained => ({
    what: `It was charged as a ${type}, but the provider has a ${listedType}.`,
    next: "Check its request, then correct the difference under User Credits.",
  }),
  price: (listed: number, quoted: number): Explained => ({
    what: `The provider now charges ${money(listed)}; its answer said ${money(quoted)}.`,
    next: "Your credits are not affected. Ask the provider, or check its invoice.",
  }),
  undecided: (piece: Listed): Explained => ({
    what: `${providerHas(piece)}; here it needs a decision.`,
    next: "View the piece and choose Mailed.",
  }),
  refunded: (piece: Listed, charged: Charged, isTooLate: boolean): Explained => ({
    what: `${providerHas(piece)}; here it is cancelled and refunded.`,
    next: stopOrDeduct(charged, isTooLate),
  }),
  released: (piece: Listed, charged: Charged, isTooLate: boolean): Explained => ({
    what: `${providerHas(piece)}; here it counts as not mailed, and nothing is charged.`,
    next: stopOrDeduct(charged, isTooLate),
  }),
  short: ({ paid, cost }: Charged): Explained => ({
    what: `It was mailed, but only ${paid} of ${formatCredits(cost)} could be charged.`,
    next: `To charge the rest, deduct ${formatCredits(cost - paid)} under User Credits.`,
  }),
  unknown: (pieceId: string): Explained => ({
    what: `It has the tag mailroom-${pieceId}, but there is no such piece here.`,
    next: "Compare in any other Mailroom that uses this provider account. If there is none, it was not paid for.",
  }),
};

/** Problems of one purchase, each with its next step. */
export const STRIPE_FINDINGS = {
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
} satisfies Record<string, Explained>;

export const ALL_AGREE = "All agree.";

function stopOrDeduct({ cost }: Charged, isTooLate: boolean): string {
  return isTooLate
    ? `It is too late to cancel it: deduct ${formatCredits(cost)} under User Credits.`
    : `Cancel it at the provider, or deduct ${formatCredits(cost)} under User Credits.`;
}

function providerHas({ status }: Listed): string {
  return status ? `The provider has it, with the status ${status}` : "The provider has it";
}

function money(amount: number): string {
  return amount.toFixed(amount === Math.round(amount * 100) / 100 ? 2 : 4);
}
