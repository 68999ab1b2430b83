import { callWithForm, isKnownBase, type PieceAddress, parseCancelOutcome } from "./piece.server";

/**
 * True for the local emulator of `npm run dev`, which can change a piece's status. The real provider has no such call, and
 * only local base URLs may be plain http.
 */
export function canSimulate(baseUrl: string): boolean {
  return isKnownBase(baseUrl) && new URL(baseUrl).protocol === "http:";
}

/** Moves a piece to its next status. Returns null, or the reason why it was not done. Never throws. */
export async function callSimulate(piece: PieceAddress, timeoutMs: number): Promise<string | null> {
  const path = `${piece.type}s/simulate`;
  const { result } = await callWithForm(piece.baseUrl, path, { id: piece.id }, timeoutMs);
  const outcome = parseCancelOutcome(result, timeoutMs);
  if (outcome.kind === "cancelled") return null;
  if (outcome.kind === "rate_limited") return "its rate limit is used up.";
  return outcome.kind === "unknown" ? outcome.happened : outcome.reason;
}
