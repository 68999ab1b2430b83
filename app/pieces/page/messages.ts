import { formatCredits } from "~/credits/format-credits";
import { RECOVERY } from "../event-sources";
import { NO_PIECE_PDF, PIECE_PDF_EXPIRED } from "../messages";
import type { SendRecord } from "../send/find-send.server";
import { isOpen, type PieceState } from "../states";
import type { StatusTone } from "../status";

/** Sentences of the page of a piece. The states' words are in {@link STATE_WORDS}, everything else below. */

/** A state as people read it. */
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

export const NOT_FOUND = "There is no piece with this id.";
export const DECISION_MISSING = "Choose whether it was mailed. Nothing was changed.";
export const RECORDS_AGREE = "All records agree.";

export const SEND_AGAIN_ABOUT = "Opens this request as a new draft. Nothing is sent.";
/** The danger of sending the request of a piece again; null where it was not mailed. */
export function formatRepeatRisk({ state, mailType }: Pick<SendRecord, "state" | "mailType">): string | null {
  if (state === "refused" || state === "cancelled") return null;
  if (state === "accepted")
    return `This ${mailType} was mailed. Sending it again mails and charges a second one.`;
  return `This ${mailType} may have been mailed. Sending it again may mail and charge it twice.`;
}

export const REQUEST_ERASED = "The personal data of this piece was erased, and its request with it.";
export const SIMULATE_ABOUT = "The local provider moves this piece on. Nothing is printed.";

/** Who reported a status. */
export const EVENT_SOURCES = {
  send: "provider's answer",
  webhook: "webhook",
  refresh: "status refresh",
  cancel: "cancel",
  [RECOVERY]: "recovery",
} as const;

/** Formats the outcome for the mail and for the credits, in a sentence each. */
export function formatOutcome(
  send: Pick<SendRecord, "state" | "mailType" | "cost" | "charged" | "note" | "providerId">,
): { mail: string; credits: string } {
  const { mailType, cost, charged, note, providerId } = send;
  const were = charged === 1 ? "was" : "were";
  switch (send.state) {
    case "accepted":
      return {
        mail: `The provider accepted this ${mailType}${providerId ? ` as item ${providerId}` : ""}.`,
        credits:
          charged < cost
            ? `It costs ${formatCredits(cost)}, but only ${charged} could be charged.`
            : `${formatCredits(charged)} ${were} charged.`,
      };
    case "refused":
      return {
        mail: `Nothing was mailed: ${note ?? "the provider refused it."}`,
        credits: "Nothing was charged.",
      };
    case "needs_review":
      return {
        mail: `We could not find out whether this ${mailType} was mailed: ${note ?? ""}`,
        credits: `${formatCredits(cost)} held until a person decides.`,
      };
    case "reserved":
    case "sending":
    case "unknown":
      return {
        mail: `The provider may have accepted this ${mailType}. We are checking; it will not be sent twice.`,
        credits: `${formatCredits(cost)} held: charged once if it was mailed, released if not.`,
      };
    case "cancelling":
      return {
        mail: `This ${mailType} is being cancelled. The provider has not confirmed it yet.`,
        credits: `${formatCredits(charged)} charged so far, refunded when the cancel is confirmed.`,
      };
    case "cancelled":
      return {
        mail: `This ${mailType} was cancelled and is not mailed.`,
        credits: `${formatCredits(charged)} ${were} refunded.`,
      };
  }
}

/** In place of the provider's PDF. @param keptDays how long copies are kept */
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

/** The line of the hold in the table of credits. */
export function formatHold({ state, cost }: Pick<SendRecord, "state" | "cost">): string {
  const reserved = `${formatCredits(cost)} reserved`;
  if (isOpen(state)) return `${reserved}, not charged yet`;
  return state === "refused" ? `${reserved}, then released` : `${reserved}, then charged`;
}

/** The events of a piece that Mailroom itself knows of. */
export const EVENTS = {
  sent: (cost: number, mailType: string) => `${formatCredits(cost)} held, ${mailType} sent`,
  sentAsTest: (mailType: string) => `${capitalise(mailType)} sent as a test`,
  checked: (times: number) =>
    `Checked ${times === 1 ? "once" : `${times} times`} in a way that cannot mail it twice`,
  accepted: (providerId: string | null) => `Provider accepted${providerId ? `, item ${providerId}` : ""}`,
  released: (cost: number) => `${formatCredits(cost)} released, nothing charged`,
  alarm: (text: string) => `Alarm: ${text}`,
  cancelRequested: (name: string) => `${name} requested a cancel`,
  status: (status: string) => `Status ${status.replaceAll("_", " ")}`,
  ledger: (type: string, amount: number, balanceAfter: number) =>
    `${formatCredits(amount)} ${LEDGER_VERBS[type] ?? "recorded"}, balance ${balanceAfter.toLocaleString("en")}`,
};

const LEDGER_VERBS: Record<string, string> = { debit: "charged", refund: "refunded", release: "released" };

/** Differences between the records of one piece. */
export const DISAGREEMENTS = {
  chargedNotMailed: (debited: number) => `Nothing was mailed, but ${formatCredits(debited)} were charged.`,
  itemNotMailed: "Nothing was mailed, but Mail Management lists it.",
  charge: (charged: number, debited: number) =>
    `The piece says ${formatCredits(charged)} charged, the ledger says ${debited}.`,
  refund: (owed: number, refunded: number) =>
    `${formatCredits(owed)} should be refunded, the ledger says ${refunded}.`,
  noItem: "Mail Management does not list this piece.",
  item: (state: string, isCancelled: boolean) =>
    `The piece is ${state}, but Mail Management shows it as ${isCancelled ? "" : "not "}cancelled.`,
};

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** In place of the decision, for who is no admin. */
export const ADMINS_DECIDE = "Only admins can decide whether it was mailed. Ask one of them.";
