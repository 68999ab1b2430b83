import type { MailType } from "~/pieces/mail-type";
import type { CreditState } from "~/pieces/states";
import type { CreditOutcome } from "./proxy-types";

/** A live piece as far as its credits are told by it. */
interface Piece {
  mailType: MailType;
  /** Who pays. */
  userId: string;
  /** Credits. */
  cost: number;
}

interface Balance {
  balance: number;
}

/** What became of the credits of a request for live mail. */
type Payment = CreditState | { kind: "short"; available: number } | { kind: "untracked" };

/** The `credits` of an answer to live mail (spec §3, money.md §2). `balance` null: not known at this moment. */
export function describeCredits(piece: Piece, payment: Payment, account: Balance | null): CreditOutcome {
  const { mailType, userId, cost } = piece;
  const base = { mailType, userId, creditsDeducted: 0, newBalance: account?.balance ?? null };
  switch (payment.kind) {
    case "charged": {
      const { charged } = payment;
      const error = charged < cost ? `It costs ${cost}, and only ${charged} could be deducted.` : null;
      return { ...base, success: error === null, creditsDeducted: charged, error };
    }
    case "released":
      return { ...base, success: false, error: `Nothing was charged: ${payment.why}` };
    case "held": {
      const error = `${countCredits(cost)} ${cost === 1 ? "stays" : "stay"} held: ${payment.why}`;
      return { ...base, success: false, error, pending: true, held: cost };
    }
    case "short":
      return { ...base, success: false, error: explainShortage(piece, payment.available) };
    case "untracked":
      return {
        ...base,
        success: false,
        error: "Credits are not tracked: no database is configured, so none were deducted.",
      };
  }
}

/** Why a piece cannot be paid: cost, what is there, what is missing. */
export function explainShortage({ mailType, cost }: Piece, available: number): string {
  return `Not enough credits: a live ${mailType} costs ${cost}, ${available} available, ${cost - available} missing.`;
}

/** "1 credit", "2 credits". */
export function countCredits(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "credit" : "credits"}`;
}
