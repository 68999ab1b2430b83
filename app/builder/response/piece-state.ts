import type { ProxyResponse } from "~/sending/proxy-types";
import { PIECE_STATES } from "./messages";

export type PieceTone = "ok" | "bad" | "warn";

/** Where a piece stands by the answer to its send, in one word. */
export function findPieceState(response: ProxyResponse): { word: string; tone: PieceTone } {
  const { pending, error, request, status, credits, tested_piece: tested } = response;
  if (pending || credits?.pending) return { word: PIECE_STATES.checking, tone: "warn" };
  if (error !== null) {
    const word = request === null ? "notSent" : status === null ? "unanswered" : "refused";
    return { word: PIECE_STATES[word], tone: "bad" };
  }
  if (credits?.success && credits.creditsDeducted > 0) return { word: PIECE_STATES.sent, tone: "ok" };
  return { word: tested || !credits ? PIECE_STATES.tested : PIECE_STATES.answered, tone: "ok" };
}
