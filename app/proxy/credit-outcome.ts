import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import type { CreditState } from "~/pieces/states";
import type { CreditOutcome } from "./answer.schema.server";
import { formatPartlyCharged, formatShortage } from "./messages";

interface Piece {
  mailType: MailType;
  /** The payer. */
  userId: string;
  /** Price in credits. */
  cost: number;
}

/** Builds the `credits` of an answer to live mail. @param account null when the balance is not known */
export function toCreditOutcome(
  piece: Piece,
  payment: CreditState | { kind: "short"; available: number },
  account: { balance: number } | null,
): CreditOutcome {
  const { mailType, userId, cost } = piece;
  const base = { mailType, userId, creditsDeducted: 0, newBalance: account?.balance ?? null };
  switch (payment.kind) {
    case "charged": {
      const { charged } = payment;
      const error = charged < cost ? formatPartlyCharged(cost, charged) : null;
      return { ...base, success: error === null, creditsDeducted: charged, error };
    }
    case "released":
      return { ...base, success: false, error: `Nothing was charged: ${payment.why}` };
    case "held": {
      const error = `${formatCredits(cost)} ${cost === 1 ? "stays" : "stay"} reserved: ${payment.why}`;
      return { ...base, success: false, error, pending: true, held: cost };
    }
    case "short":
      return { ...base, success: false, error: formatShortage(piece, payment.available) };
  }
}
