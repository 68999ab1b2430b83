import { isBeingSent, type PieceState } from "./states";
import { CANCELLED, type StatusTone, toneOf } from "./status";

/** The word for a piece in a list: our own state while it is not settled mail, else the provider's status. */
export function findShownStatus(
  state: PieceState,
  status: string | null,
): { word: string; tone: StatusTone } {
  if (isBeingSent(state) || state === "unknown") return { word: "checking", tone: "warn" };
  if (state === "needs_review") return { word: "needs a decision", tone: "warn" };
  if (state === "refused") return { word: "not mailed", tone: "neutral" };
  if (state === "cancelling") return { word: "cancelling", tone: "warn" };
  if (state === "cancelled") return { word: CANCELLED, tone: toneOf(CANCELLED) };
  return status === null ? { word: "accepted", tone: "neutral" } : { word: status, tone: toneOf(status) };
}
