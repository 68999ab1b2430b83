import { currentFingerprint, findKey } from "~/outside/mail-provider/call/keys.server";
import {
  type CancelOutcome,
  callCancel,
  type Exchange,
  lookAtPiece,
  type PieceAddress,
  type PieceLook,
  parseCancelOutcome,
} from "~/outside/mail-provider/piece.server";
import { callUntilAnswered, logProviderCall } from "../call-until-answered.server";
import { type CallTime, statusLimitMs } from "../lease.server";
import { SENT_WITH_OTHER_KEY } from "../messages";
import { parseSendId } from "../send-tag";
import type { CancelCase } from "./cancel-transitions.server";

type Piece = Pick<CancelCase, "id" | "userId" | "baseUrl" | "type" | "providerId" | "keyFingerprint">;

/**
 * Asks the provider to cancel a piece. One that was sent with an earlier key is cancelled only if the key that sends shows
 * it too: in another account its id may be that of someone else's mail. Never throws.
 * @param time of the lease in which this process has the piece
 */
export async function callCancelling(
  piece: Piece,
  time: CallTime,
): Promise<{ exchange: Exchange; outcome: CancelOutcome }> {
  const { userId, type } = piece;
  const about = { userId, method: "POST", providerPath: `${type}s/cancel` };
  const isOfThisAccount = isSentWithCurrentKey(piece) || (await isShownToCurrentKey(piece));
  if (!isOfThisAccount) {
    const result = { kind: "unreachable", reason: SENT_WITH_OTHER_KEY, durationMs: 0 } as const;
    return {
      exchange: { sent: formatUncalled(piece), result },
      outcome: { kind: "refused", reason: SENT_WITH_OTHER_KEY, byKey: true },
    };
  }
  return callUntilAnswered(async (timeoutMs) => {
    if (timeoutMs <= 0) {
      const result = { kind: "stopped", durationMs: 0 } as const;
      return { exchange: { sent: formatUncalled(piece), result }, outcome: parseCancelOutcome(result, 0) };
    }
    const called = await callCancel(toAddress(piece), timeoutMs);
    logProviderCall(about, called.exchange.result);
    return called;
  }, time);
}

/** Asks the provider where the piece is, with the key that it was sent with where this server has it. Never throws. */
export async function loadProviderStatus(piece: Piece): Promise<PieceLook> {
  if (findKey(piece.keyFingerprint) !== null) return lookAtPiece(toAddress(piece), statusLimitMs());
  const look = await lookAtPiece({ ...toAddress(piece), keyFingerprint: null }, statusLimitMs());
  if (look.kind === "rate_limited" || (look.kind === "found" && parseSendId(look.tags) === piece.id))
    return look;
  return { kind: "unclear", reason: SENT_WITH_OTHER_KEY, headers: look.headers };
}

function isSentWithCurrentKey({ keyFingerprint }: Piece): boolean {
  return keyFingerprint === null || keyFingerprint === currentFingerprint();
}

async function isShownToCurrentKey(piece: Piece): Promise<boolean> {
  const look = await lookAtPiece({ ...toAddress(piece), keyFingerprint: null }, statusLimitMs());
  return look.kind === "found" && parseSendId(look.tags) === piece.id;
}

function formatUncalled({ baseUrl, type }: Piece): Exchange["sent"] {
  return { method: "POST", url: `${baseUrl}/${type}s/cancel`, headers: {}, body: null };
}

function toAddress({ baseUrl, type, providerId, keyFingerprint }: Piece): PieceAddress {
  return { baseUrl, type, id: providerId ?? "", keyFingerprint };
}
