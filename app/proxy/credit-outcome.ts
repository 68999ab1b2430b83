import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import type { CreditState } from "~/pieces/states";
import { formatPartlyCharged, formatShortage } from "./messages";
import type { CreditOutcome } from "./proxy-types";

/** A live piece and its price. */
interface Piece {
  mailType: MailType;
  /** Who pays. */
  userId: string;
  /** In credits. */
  cost: number;
}

interface Balance {
  balance: number;
}

/** The result of a request for live mail for the payer's credits. */
type Payment = CreditState | { kind: "short"; available: number };

/** The `credits` field of an answer to live mail. @param account null: the balance is not known right now */
export function toCreditOutcome(piece: Piece, payment: Payment, account: Balance | null): CreditOutcome {
  const { mailType, userId, cost } = piece;
  const base = { mailType, userId, creditsDeducted: 0, newBalance: account?.balance ?? null };
  switch (payment.kind) {
    case "charged": {
      const { charged } = payment;
      const error = charged < cost ? formatPartlyCharged(cost, charged) : null;
      return { ...base, success: error === null, creditsDeducted: charged, error };
    }
    case "released":
      return { ...base, success: false, error: formatNotCharged(payment.why) };
    case "held": {
      return { ...base, success: false, error: formatHeld(cost, payment.why), pending: true, held: cost };
    }
    case "short":
      return { ...base, success: false, error: formatShortage(piece, payment.available) };
  }
}

function formatNotCharged(why: string): string {
  return `Nothing was charged: ${why}`;
}

/** "1 credit stays held: it is not known yet whether ..." */
function formatHeld(cost: number, why: string): string {
  return `${formatCredits(cost)} ${cost === 1 ? "stays" : "stay"} held: ${why}`;
}
