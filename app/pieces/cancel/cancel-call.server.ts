import { logProviderCall } from "~/outside/mail-provider/call/client.server";
import { currentFingerprint, findKey } from "~/outside/mail-provider/call/keys.server";
import {
  type CancelOutcome,
  callCancel,
  type Exchange,
  type FetchedPiece,
  fetchPiece,
  type PieceAddress,
  parseCancelOutcome,
} from "~/outside/mail-provider/piece.server";
import { type CallTime, callUntilAnswered, statusLimitMs } from "../lease.server";
import { parseSendId } from "../send-tag";
import { isCancelledWord } from "../status";
import type { CancelCase } from "./cancel-transitions.server";

type Piece = Pick<CancelCase, "id" | "userId" | "baseUrl" | "type" | "providerId" | "keyFingerprint">;

const SENT_WITH_OTHER_KEY = "it was sent with another API key than the one in STANNP_API_KEY.";

/**
 * Asks the provider to cancel a piece. A piece that was sent with an earlier key is cancelled only if the current key
 * lists it too: in another account its id may be that of someone else's mail. Never throws.
 * @param time left of this process's lease on the piece
 */
export async function callCancelling(
  piece: Piece,
  time: CallTime,
): Promise<{ exchange: Exchange; outcome: CancelOutcome }> {
  const { userId, type, baseUrl, keyFingerprint } = piece;
  const meta = { userId, method: "POST", providerPath: `${type}s/cancel` };
  const uncalled = { method: "POST", url: `${baseUrl}/${type}s/cancel`, headers: {}, body: null };
  const isSentWithCurrentKey = keyFingerprint === null || keyFingerprint === currentFingerprint();
  if (!isSentWithCurrentKey && !isOwn(await fetchWithCurrentKey(piece), piece)) {
    const result = { kind: "unreachable", reason: SENT_WITH_OTHER_KEY, durationMs: 0 } as const;
    const outcome = { kind: "refused", reason: SENT_WITH_OTHER_KEY, byKey: true } as const;
    return { exchange: { sent: uncalled, result }, outcome };
  }
  return callUntilAnswered(async (timeoutMs) => {
    if (timeoutMs <= 0) {
      const result = { kind: "stopped", durationMs: 0 } as const;
      return { exchange: { sent: uncalled, result }, outcome: parseCancelOutcome(result, 0) };
    }
    const called = await callCancel(toAddress(piece), timeoutMs);
    logProviderCall(meta, called.exchange.result);
    return called;
  }, time);
}

/** Fetches the status of a piece, with the key that it was sent with if this server has it. Never throws. */
export async function fetchProviderStatus(piece: Piece): Promise<FetchedPiece> {
  if (findKey(piece.keyFingerprint) !== null) return fetchPiece(toAddress(piece), statusLimitMs());
  const look = await fetchWithCurrentKey(piece);
  if (look.kind === "rate_limited" || isOwn(look, piece)) return look;
  return { kind: "unclear", reason: SENT_WITH_OTHER_KEY, headers: look.headers };
}

/**
 * True when the provider itself confirms that a piece is cancelled. An event costs money here, and one secret may sign
 * events of several accounts, in which equal ids are other pieces. False if it cannot be asked now. Never throws.
 */
export async function isCancelledAtProvider(piece: CancelCase): Promise<boolean> {
  const found = await fetchProviderStatus(piece);
  return found.kind === "found" && isCancelledWord(found.status);
}

function fetchWithCurrentKey(piece: Piece): Promise<FetchedPiece> {
  return fetchPiece({ ...toAddress(piece), keyFingerprint: null }, statusLimitMs());
}

/** True when the fetched piece names this send, so that it is not another account's with the same id. */
function isOwn(look: FetchedPiece, { id }: Piece): boolean {
  return look.kind === "found" && parseSendId(look.tags) === id;
}

function toAddress({ baseUrl, type, providerId, keyFingerprint }: Piece): PieceAddress {
  return { baseUrl, type, id: providerId ?? "", keyFingerprint };
}
