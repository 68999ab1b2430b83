import { formatCredits } from "~/credits/format-credits";
import type { Comparison, Finding, Listed } from "./reconciliation";

/** What a reconciliation says, on its page and in `npm run reconcile`. */

/** What is wrong with one piece, and what to do about it. */
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
    next: "Compare in any other Mailroom that uses this provider account. If there is none, nobody paid for it.",
  }),
};

export const NO_KEY =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was compared.";
export const ALREADY_COMPARING =
  "Another comparison is running. Nothing was compared; try again in a moment.";
export const UNKNOWN_PIECE = "A piece that is not ours";
export const ALL_AGREE = "All agree.";

/** Why days cannot be compared. */
export function formatPeriodProblem(problem: string): string {
  return `These days cannot be compared: ${problem}. Nothing was compared.`;
}

/** The result in a few sentences. `isReached`: at least one account could be asked. */
export function formatResult(
  { agreed, findings, moving, unseen }: Pick<Comparison, "agreed" | "findings" | "moving" | "unseen">,
  { isReached, isComplete }: { isReached: boolean; isComplete: boolean },
): string {
  const sentences: string[] = [];
  if (!isReached) sentences.push("The provider could not be asked, so nothing was compared.");
  else if (findings.length > 0) sentences.push(`${count(findings.length, "difference")} found.`);
  else
    sentences.push(isComplete ? ALL_AGREE : "No differences so far, but not everything could be compared.");
  if (isReached) sentences.push(`${count(agreed, "piece")} charged here and found at the provider.`);
  if (unseen > 0) {
    sentences.push(
      `${count(unseen, "charged piece")} could not be compared; try again when the provider answers.`,
    );
  }
  if (moving > 0) sentences.push(`${count(moving, "piece")} still being sent or cancelled; compare later.`);
  return sentences.join(" ");
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

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
