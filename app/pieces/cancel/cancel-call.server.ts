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
import { callUntilAnswered, logProviderCall } from "../call-until-answered.server";
import { type CallTime, statusLimitMs } from "../lease.server";
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
  const { userId, type } = piece;
  const meta = { userId, method: "POST", providerPath: `${type}s/cancel` };
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
    logProviderCall(meta, called.exchange.result);
    return called;
  }, time);
}

/** Fetches the status of a piece, with the key that it was sent with if this server has it. Never throws. */
export async function loadProviderStatus(piece: Piece): Promise<FetchedPiece> {
  if (findKey(piece.keyFingerprint) !== null) return fetchPiece(toAddress(piece), statusLimitMs());
  const look = await fetchPiece({ ...toAddress(piece), keyFingerprint: null }, statusLimitMs());
  if (look.kind === "rate_limited" || (look.kind === "found" && parseSendId(look.tags) === piece.id))
    return look;
  return { kind: "unclear", reason: SENT_WITH_OTHER_KEY, headers: look.headers };
}

/**
 * True when the provider itself confirms that a piece is cancelled. An event costs money here, and one secret may sign
 * events of several accounts, in which equal ids are other pieces. False if it cannot be asked now. Never throws.
 */
export async function isCancelledAtProvider(piece: CancelCase): Promise<boolean> {
  const found = await loadProviderStatus(piece);
  return found.kind === "found" && isCancelledWord(found.status);
}

function isSentWithCurrentKey({ keyFingerprint }: Piece): boolean {
  return keyFingerprint === null || keyFingerprint === currentFingerprint();
}

async function isShownToCurrentKey(piece: Piece): Promise<boolean> {
  const look = await fetchPiece({ ...toAddress(piece), keyFingerprint: null }, statusLimitMs());
  return look.kind === "found" && parseSendId(look.tags) === piece.id;
}

function formatUncalled({ baseUrl, type }: Piece): Exchange["sent"] {
  return { method: "POST", url: `${baseUrl}/${type}s/cancel`, headers: {}, body: null };
}

function toAddress({ baseUrl, type, providerId, keyFingerprint }: Piece): PieceAddress {
  return { baseUrl, type, id: providerId ?? "", keyFingerprint };
}
