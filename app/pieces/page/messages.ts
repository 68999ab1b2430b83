import { formatCredits } from "~/credits/format-credits";
import { NO_PIECE_PDF, PIECE_PDF_EXPIRED } from "../messages";
import type { SendRecord } from "../send/send-record.server";
import { isOpen, type PieceState } from "../states";
import type { StatusTone } from "../status";

export const STATE_WORDS: Record<PieceState, { word: string; tone: StatusTone }> = {
  reserved: { word: "Being sent", tone: "warn" },
  sending: { word: "Being sent", tone: "warn" },
  unknown: { word: "Checking", tone: "warn" },
  needs_review: { word: "Needs a decision", tone: "warn" },
  accepted: { word: "Mailed", tone: "ok" },
  refused: { word: "Not mailed", tone: "neutral" },
  cancelling: { word: "Being cancelled", tone: "warn" },
  cancelled: { word: "Cancelled", tone: "bad" },
};

/** The word for a piece that was mailed after its credits were released. */
export const MAILED_UNPAID = { word: "Mailed, not charged", tone: "bad" } as const;

/**
 * Formats the danger of sending the request of a piece again; null when it was not mailed.
 * @param isDisproved true for a refused piece that was mailed after all
 */
export function formatRepeatRisk(
  { state, mailType }: Pick<SendRecord, "state" | "mailType">,
  isDisproved = false,
): string | null {
  if ((state === "refused" && !isDisproved) || state === "cancelled") return null;
  if (state === "accepted")
    return `This ${mailType} was mailed. Sending it again mails and charges a second one.`;
  return `This ${mailType} may have been mailed. Sending it again may mail and charge it twice.`;
}

export const REQUEST_ERASED = "The personal data of this piece was erased, and its request with it.";

/**
 * Formats the outcome for the mail and for the credits, in a sentence each.
 * @param payer name of the person who pays
 * @param delivered the day of the delivery that the provider reported: "4 Nov"
 * @param isDisproved true for a refused piece that was mailed after all
 */
export function formatOutcome(
  send: Pick<SendRecord, "state" | "mailType" | "cost" | "charged" | "note">,
  payer: string,
  delivered: string | null,
  isDisproved = false,
): { mail: string; credits: string } {
  const { mailType, cost, charged, note } = send;
  switch (send.state) {
    case "accepted":
      return {
        mail: delivered
          ? `Delivered on ${delivered} (provider's estimate).`
          : `The provider accepted this ${mailType}.`,
        credits:
          charged < cost
            ? `It costs ${formatCredits(cost)}, but only ${charged} could be charged.`
            : `${payer} was charged ${formatCredits(charged)}.`,
      };
    case "refused":
      return {
        mail: isDisproved
          ? `This ${mailType} counted as not mailed, but it was mailed: see the alarm.`
          : `Nothing was mailed: ${note ?? "the provider refused it."}`,
        credits: "Nothing was charged.",
      };
    case "needs_review":
      return {
        mail: `We could not find out whether this ${mailType} was mailed: ${note ?? ""}`,
        credits: `${formatCredits(cost)} reserved until a person decides.`,
      };
    case "reserved":
    case "sending":
    case "unknown":
      return {
        mail: `The provider may have accepted this ${mailType}. We are checking; it will not be sent twice.`,
        credits: `${formatCredits(cost)} reserved: charged once if it was mailed, released if not.`,
      };
    case "cancelling":
      return {
        mail: `This ${mailType} is being cancelled. The provider has not confirmed it yet.`,
        credits: `${formatCredits(charged)} charged so far, refunded when the cancel is confirmed.`,
      };
    case "cancelled":
      return {
        mail: `This ${mailType} was cancelled and is not mailed.`,
        credits: `${formatCredits(charged)} ${charged === 1 ? "was" : "were"} refunded.`,
      };
  }
}

/** Formats the reason why there is no PDF. @param keptDays how long copies are kept */
export function formatNoPdf(
  state: PieceState,
  why: "erased" | "too_old" | "none_given" | "not_copied",
  keptDays: number,
): string {
  if (isOpen(state)) return "The provider's PDF appears here once the piece is mailed.";
  if (state === "refused") return "Nothing was mailed, so there is no PDF.";
  switch (why) {
    case "erased":
      return "The personal data of this piece was erased, and its PDF with it.";
    case "too_old":
      return `Copies of PDFs are kept for ${keptDays} days, and this piece is older.`;
    case "none_given":
      return NO_PIECE_PDF;
    case "not_copied":
      return PIECE_PDF_EXPIRED;
  }
}
