import { callWithForm, isKnownBase, type PieceAddress, parseCancelOutcome } from "./piece.server";

/**
 * A provider on this machine, as `npm run dev` starts it, can be told to move a piece on. The real provider has no such call,
 * and its base URL is never plain http, which the configuration accepts for this machine only.
 */
export function canSimulate(baseUrl: string): boolean {
  return isKnownBase(baseUrl) && new URL(baseUrl).protocol === "http:";
}

/** Asks for a piece's next status. Null when it was done, else why not. Never throws. */
export async function callSimulate(piece: PieceAddress, timeoutMs: number): Promise<string | null> {
  const path = `${piece.type}s/simulate`;
  const { result } = await callWithForm(piece.baseUrl, path, { id: piece.id }, timeoutMs);
  const outcome = parseCancelOutcome(result, timeoutMs);
  if (outcome.kind === "cancelled") return null;
  if (outcome.kind === "rate_limited") return "its rate limit is used up.";
  return outcome.kind === "unknown" ? outcome.happened : outcome.reason;
}
