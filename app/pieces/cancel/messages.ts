import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import type { MailType } from "../mail-type";
import { endSentence } from "../messages";
import type { PieceState } from "../states";

/** Sentences about cancels: why a piece was not cancelled, and what its cancel refunds. */

export const CANCEL_FAILED = "Failed to cancel mail item";
export const CANNOT_CANCEL = "Cannot cancel test items or items without a valid mail ID";
export const NO_MAIL_KEY =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was cancelled.";
export const ALREADY_CANCELLED_HINT = "Cancelled already";
export const CANCEL_UNCONFIRMED = "Being cancelled; the provider has not confirmed it yet";
export const SEVERAL_WITH_THIS_ID =
  "There are several pieces with this mail ID. Nothing was cancelled; use the piece's own id.";
export const NO_ITEM_OF_SEND = "Mail Management does not list this piece. Nothing was cancelled.";
export const NO_ITEM = "There is no piece with this id.";
export const NO_RESPONSE_TO_CANCEL = "There is no stored response with this id. Nothing was cancelled.";
export const RESPONSE_GONE = "This stored response was deleted.";
export const CANCEL_COPY =
  "This is a copy. If its piece belongs to this user and can still be stopped, its credits are refunded.";

export function formatNoItem(type: MailType | null): string {
  return `This user has no ${type ?? "piece"} with this mail ID. Nothing was cancelled.`;
}

export function formatOtherType(type: MailType): string {
  return `This is a ${type}: cancel it by ${type}s/cancel. Nothing was cancelled.`;
}

export function formatUnknownBase(type: MailType): string {
  return `This ${type} was sent through a base URL that STANNP_BASE_URLS does not name any more. Nothing was cancelled.`;
}

export function formatCancelInProgress(type: MailType): string {
  return `This ${type} is being cancelled already. Nothing was done a second time; try again in a moment.`;
}

export function formatCancelled(type: MailType): string {
  return `${type === "letter" ? "Letter" : "Postcard"} cancelled successfully`;
}

export function formatCancelledBefore(type: MailType): string {
  return `This ${type} was cancelled already; nothing was refunded again`;
}

export function formatChargedLess(cost: number, charged: number): string {
  return `It costs ${cost}, but only ${charged} had been charged for it, and that is what was refunded.`;
}

export function formatCancelUnknown(type: MailType, happened: string): string {
  return `${happened} It is not known yet whether this ${type} was cancelled. It is being checked; a refund follows once if it was.`;
}

export function formatRefundDelayed(type: MailType): string {
  return `The provider cancelled this ${type}. The database went away before the refund; it follows once the database is back.`;
}

export function formatCancelRefused(type: MailType, reason: string): string {
  return `Not cancelled: ${endSentence(reason)} No refund for this ${type}.`;
}

/** In the history of the piece. */
export function formatCancelRefusal(reason: string): string {
  return `Refused: ${endSentence(reason)}`;
}

export function formatCancelLimited(type: MailType, waitSeconds: number): string {
  return `The provider's rate limit is used up, so this ${type} was not cancelled. Nothing was changed; try again in ${waitSeconds} s.`;
}

export function formatCancelUnreachable(type: MailType, reason: string): string {
  return `The provider could not be reached: ${reason}. This ${type} was not cancelled and nothing was refunded; try again in a moment.`;
}

export function formatCancelUnclear(type: MailType): string {
  return `The provider did not cancel this ${type}, and could not say where it is.`;
}

export function formatTooLate(type: MailType, status: string): string {
  return `The provider says ${status}: too late to cancel this ${type}. Nothing was refunded.`;
}

export const CANCEL_NOT_KNOWN_YET = "The provider could not tell yet whether it was cancelled.";

export function formatCancelGivenUp(type: MailType): string {
  return `The provider could not be asked within a day whether this ${type} was cancelled. It counts as mailed and stays charged; cancel it again to ask again.`;
}

/** Formats the effect of a cancel. @param quote.status as the provider says it; `fresh`: asked just now */
export function formatCancelQuote(quote: {
  type: MailType;
  state: PieceState | null;
  status: string;
  fresh: boolean;
  late: boolean;
  /** Nothing has happened to it yet, says the status. */
  waiting: boolean;
  charged: number;
  balance: number;
  held: number;
}): string {
  const { type, state, status, fresh, late, waiting, charged, balance, held } = quote;
  if (state === "cancelled") {
    return `This ${type} is cancelled already. Refunded: ${formatCredits(charged)}. Balance ${balance.toLocaleString("en")}${formatHeldPart(held)}.`;
  }
  if (state === "cancelling") {
    return `This ${type} is being cancelled already; the provider has not confirmed it yet.`;
  }
  const back = `${formatCredits(charged)} back, balance ${(balance + charged).toLocaleString("en")}${formatHeldPart(held)}.`;
  const said = status.replaceAll("_", " ");
  const word = fresh
    ? `The provider says ${said}`
    : `The provider last said ${said}, and did not answer just now`;
  if (late) return `${word}: it can hardly be cancelled. If it works: ${back}`;
  return fresh && waiting ? `Not printed yet. ${back}` : `${word}: it may still be possible. ${back}`;
}

/** Evidence of an alarm. */
export const CANCEL_IN_DOUBT =
  "A webhook event says that this piece is cancelled, and the provider does not confirm it. Nothing was refunded: look at the provider's dashboard.";
