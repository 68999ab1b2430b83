import { findCancelObstacle } from "~/pieces/mail-item";
import { isOpen } from "~/pieces/states";
import { findShownStatus, findStatus, formatStatus, type StatusTone, toneOf } from "~/pieces/status";
import type { MailRecipient } from "~/recipients/recipient";
import { formatMomentIfValid } from "~/ui/moment";
import type { ListedPiece } from "./list-items.server";
import { CHECKING, HELD, isOpenStatus, MAILED, NEEDS_DECISION } from "./piece-filter";

export type ItemRow = ReturnType<typeof toItemRow>;
export type RecipientRow = ReturnType<typeof toRecipientRow>;
export type StatusChip = ReturnType<typeof toChips>[number];

/** Builds the row of a piece. @param ofAll true to name its user */
export function toItemRow(piece: ListedPiece, ofAll: boolean, now: Date) {
  const { state, status, id, type, addressee, place, mailItemId, isTest, isCancelled } = piece;
  const shown = state ? findShownStatus(state, status) : { word: status, tone: toneOf(status) };
  const held = state !== null && isOpen(state);
  return {
    ...{ id, type, addressee, place, mailItemId, isTest, isCancelled },
    user: ofAll ? piece.userName : null,
    status: formatStatus(shown.word),
    tone: shown.tone,
    meaning: findStatus(status)?.meaning ?? "",
    /** Null for an invalid time. */
    createdAt: formatMomentIfValid(piece.createdAt, now),
    cancelledAt: piece.cancelledAt && formatMomentIfValid(piece.cancelledAt, now),
    cancellationReason: piece.cancellationReason,
    credits: held ? `${piece.cost} reserved` : String(isCancelled ? 0 : piece.charged),
    isHeld: held,
    /** The reason why it cannot be cancelled; null when it can. */
    obstacle: held
      ? "It is not known yet whether this was mailed, so it cannot be cancelled."
      : findCancelObstacle(piece),
    refreshable: !isTest && !isCancelled && mailItemId !== null,
    hasAlarm: piece.hasAlarm,
  };
}

export function toRecipientRow(recipient: MailRecipient, ofAll: boolean, now: Date) {
  const { userName, createdAt, ...row } = recipient;
  return { ...row, user: ofAll ? userName : null, createdAt: formatMomentIfValid(createdAt, now) };
}

/** Lists the statuses to filter by: those that pieces have, and the chosen one. */
export function toChips(counts: { status: string | null; count: number; more: boolean }[], chosen: string) {
  const chips = counts.map(({ status, ...counted }) => ({
    status: status ?? "",
    label: status === null ? "All" : formatStatus(status),
    tone: toneOfChip(status),
    ...counted,
  }));
  if (chips.some(({ status }) => status === chosen)) return chips;
  const parts = counts.filter(({ status }) => isPartOf(chosen, status));
  const count = parts.reduce((sum, one) => sum + one.count, 0);
  const more = parts.some((one) => one.more);
  return [...chips, { status: chosen, label: formatStatus(chosen), tone: toneOfChip(chosen), count, more }];
}

/** True when pieces of a status are among those of a wider one. */
function isPartOf(chosen: string, status: string | null): boolean {
  if (chosen === HELD) return status === CHECKING || status === NEEDS_DECISION;
  return chosen === MAILED && status !== null && status !== "test" && !isOpenStatus(status);
}

function toneOfChip(status: string | null): StatusTone {
  if (status === null) return "neutral";
  return isOpenStatus(status) ? "warn" : toneOf(status);
}
