import { findCancelObstacle } from "~/pieces/mail-item";
import { isOpen } from "~/pieces/states";
import { findShownStatus, findStatus, toneOf } from "~/pieces/status";
import { formatMomentIfValid } from "~/ui/moment";
import type { ListedPiece } from "./list-items.server";
import type { ItemRow, StatusChip } from "./mail-view";
import { CHECKING, HELD, isOpenStatus, MAILED, NEEDS_DECISION } from "./piece-filter";

/** A piece as its row shows it. @param ofAll rows of all users say whose they are */
export function toItemRow(piece: ListedPiece, ofAll: boolean, now: Date): ItemRow {
  const { state, status } = piece;
  const shown = state ? findShownStatus(state, status) : { word: status, tone: toneOf(status) };
  const held = state !== null && isOpen(state);
  return {
    id: piece.id,
    type: piece.type,
    addressee: piece.addressee,
    place: piece.place,
    user: ofAll ? piece.userName : null,
    mailItemId: piece.mailItemId,
    status: formatStatus(shown.word),
    tone: shown.tone,
    meaning: findStatus(status)?.meaning ?? "",
    createdAt: formatMomentIfValid(piece.createdAt, now),
    isTest: piece.isTest,
    isCancelled: piece.isCancelled,
    cancelledAt: piece.cancelledAt && formatMomentIfValid(piece.cancelledAt, now),
    cancellationReason: piece.cancellationReason,
    credits: held ? formatHeldCredits(piece.cost) : String(piece.isCancelled ? 0 : piece.charged),
    isHeld: held,
    obstacle: held
      ? "It is not known yet whether this was mailed, so it cannot be cancelled."
      : findCancelObstacle(piece),
    refreshable: !piece.isTest && !piece.isCancelled && piece.mailItemId !== null,
    hasAlarm: piece.hasAlarm,
  };
}

/** The statuses to choose from: those that pieces have, and the one that is chosen. */
export function toChips(
  counts: { status: string | null; count: number; more: boolean }[],
  chosen: string,
): StatusChip[] {
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

function toneOfChip(status: string | null): StatusChip["tone"] {
  if (status === null) return "neutral";
  return isOpenStatus(status) ? "warn" : toneOf(status);
}

/** A status as people read it. */
function formatStatus(status: string): string {
  return status.replaceAll("_", " ");
}

/** The cost of a piece whose outcome is not known yet. */
function formatHeldCredits(cost: number): string {
  return `${cost} held`;
}
