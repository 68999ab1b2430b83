import { DAY_MS, formatSpacedTime } from "./http/dates";
import { Refusal } from "./http/reply";
import type { PostalAddress } from "./postal-address";

export type MailType = "postcard" | "letter" | "flyer";

/** The statuses of a piece on its regular way. */
export const PROGRESS = ["received", "producing", "handed_over", "local_delivery", "delivered"] as const;

export type PieceStatus = (typeof PROGRESS)[number] | "in_transit" | "returned" | "cancelled" | "test";

export interface MailPiece {
  /** 0 for a test: all test replies have the same id. */
  id: number;
  type: MailType;
  test: boolean;
  format: string;
  cost: string;
  createdAtMs: number;
  cancelledAtMs: number | null;
  /** A status that does not change with time; null for a piece that advances. */
  settledStatus: PieceStatus | null;
  /** "0" for an address given inline. */
  recipientId: string;
  recipient: PostalAddress;
  tags: string;
  idempotencyKey: string | null;
  pdfUrl: string;
}

/** The provider's time: now in epoch ms, and the time that a piece stays in each status (0 = permanently). */
export interface Clock {
  now: () => number;
  statusStepMs: number;
}

export function statusOf(piece: MailPiece, clock: Clock): PieceStatus {
  if (piece.test) return "test";
  if (piece.cancelledAtMs !== null) return "cancelled";
  return piece.settledStatus ?? PROGRESS[stepsTaken(piece, clock)] ?? "delivered";
}

function stepsTaken(piece: MailPiece, clock: Clock): number {
  if (clock.statusStepMs === 0) return 0;
  const steps = Math.floor((clock.now() - piece.createdAtMs) / clock.statusStepMs);
  return Math.min(Math.max(steps, 0), PROGRESS.length - 1);
}

/** Number of steps after which a piece reaches a status off the regular way. */
const STEPS_ASIDE: Partial<Record<PieceStatus, number>> = { in_transit: 3, returned: 4 };

/** Time of the piece's last status change (epoch ms). */
function updatedAt(piece: MailPiece, clock: Clock): number {
  const status = statusOf(piece, clock);
  if (status === "cancelled") return piece.cancelledAtMs ?? piece.createdAtMs;
  const steps = STEPS_ASIDE[status] ?? (PROGRESS as readonly PieceStatus[]).indexOf(status);
  return (
    piece.createdAtMs + Math.max(steps, 0) * (piece.settledStatus === null ? clock.statusStepMs : DAY_MS)
  );
}

/** The mail piece as `postcards/get` and `letters/get` show it. */
export function describePiece(piece: MailPiece, clock: Clock, accountId: string) {
  const { title, company, country, ...address } = piece.recipient;
  return {
    id: piece.id,
    ...(piece.type === "letter" ? { account_id: Number(accountId) } : {}),
    ...{ timestamp: formatSpacedTime(piece.createdAtMs), status: statusOf(piece, clock), type: piece.type },
    ...{ format: piece.format, pdf_file: piece.pdfUrl, dispatched: null, country },
    ...{ cost: piece.cancelledAtMs === null ? Number(piece.cost) : 0, tags: piece.tags },
    ...{ recipient_id: Number(piece.recipientId), title, company, ...address },
    updated: formatSpacedTime(updatedAt(piece, clock)),
    mailpiece_id: piece.id,
  };
}

/** Sets a piece's status, as the printer and the carrier do; afterwards it no longer changes with time. */
export function movePiece(piece: MailPiece, status: PieceStatus, clock: Clock): void {
  if (status === "cancelled") piece.cancelledAtMs ??= clock.now();
  else {
    piece.cancelledAtMs = null;
    piece.settledStatus = status;
  }
}

/**
 * Advances a piece by one step, as time would.
 * @throws Refusal 400 when it has arrived, or has no next step
 */
export function advancePiece(piece: MailPiece, clock: Clock): void {
  const status = statusOf(piece, clock);
  const next = PROGRESS[(PROGRESS as readonly PieceStatus[]).indexOf(status) + 1];
  if (next === undefined || next === "received")
    throw new Refusal(400, `This ${piece.type} is ${status} and goes no further`);
  movePiece(piece, next, clock);
}

/**
 * Cancels a piece that is still waiting. The provider publishes neither texts nor statuses of its refusals; these
 * are ours.
 * @throws Refusal 400 when it is cancelled already or its production has started
 */
export function cancelPiece(piece: MailPiece, clock: Clock): void {
  const status = statusOf(piece, clock);
  if (status === "cancelled") throw new Refusal(400, `This ${piece.type} has already been cancelled`);
  if (status !== "received") {
    throw new Refusal(400, `This ${piece.type} can no longer be cancelled, its status is ${status}`);
  }
  piece.cancelledAtMs = clock.now();
}
