import type { Viewer } from "~/people/viewer.server";
import { cancelSend } from "~/pieces/cancel/cancel-mail.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { loadPiece } from "./load-pieces.server";
import type { WirePiece } from "./piece.schema.server";

export interface PieceCancelled {
  piece: WirePiece;
  message: string;
  refund: { credits_refunded: number; new_balance: number } | null;
  /** True until the provider confirms it. */
  pending: boolean;
}

/** Cancels a live piece and refunds it. Fails with `not_found`, and as `cancelMail` does. */
export async function cancelPiece(id: string, viewer: Viewer): Promise<Outcome<PieceCancelled>> {
  const known = await loadPiece(id);
  if (!known.ok) return known;
  const cancelled = await cancelSend(id, viewer);
  if (!cancelled.ok) return cancelled;
  const { kind, message, refund } = cancelled.value;
  const piece = await loadPiece(id);
  return succeed({
    piece: piece.ok ? piece.value : known.value,
    message,
    refund: refund && { credits_refunded: refund.creditsRefunded, new_balance: refund.newBalance },
    pending: kind === "pending",
  });
}
