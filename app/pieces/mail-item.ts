import type { PieceState } from "./states";

/** True when the provider can have a piece of this id: not missing, "0" or zero. */
export function isMailId(id: string | null | undefined): id is string {
  return typeof id === "string" && id.trim() !== "" && !/^0+$/.test(id.trim());
}

export const CANNOT_CANCEL = "Cannot cancel test items or items without a valid mail ID";

/** Returns the reason why the Cancel button is disabled; null when it is enabled. */
export function findCancelObstacle(
  isTest: boolean,
  mailItemId: string | null,
  state: PieceState | null,
): string | null {
  if (isTest || !isMailId(mailItemId)) return CANNOT_CANCEL;
  if (state === "cancelled") return "Cancelled already";
  return state === "cancelling" ? "Being cancelled; the provider has not confirmed it yet" : null;
}
