import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { refreshItem } from "../events/refresh-status.server";
import { CANNOT_CANCEL, isMailId } from "../mail-item";
import { NO_KEY_TO_CANCEL, NO_PIECE } from "../messages";
import { formatStatus, isStillWaiting, isTooLate } from "../status";
import { type CancelCase, findCaseById } from "./cancel-transitions.server";

/**
 * Formats the effect of a cancel, to be shown before it is confirmed: "Not printed yet. 1 credit back, balance 100."; or
 * the reason why it cannot be done. Fetches the status from the provider and stores it.
 */
export async function quoteCancel(itemId: string): Promise<string> {
  if (env().providerKey === null) return NO_KEY_TO_CANCEL;
  const before = await withDatabase((db) => findCaseById(db, itemId));
  if (!before.ok) return before.failure.message;
  if (!before.value) return NO_PIECE;
  if (before.value.isTest || !isMailId(before.value.providerId)) return CANNOT_CANCEL;
  const refreshed = await refreshItem(itemId);
  const item = refreshed.ok ? refreshed.value.item : null;
  const status = item?.problem === null ? item.status : null;
  const found = await withDatabase((db) => findCaseById(db, itemId));
  if (!found.ok) return found.failure.message;
  const piece = found.value ?? before.value;
  // An item never goes back to an earlier status, but only the provider's latest one tells whether it can be cancelled.
  return formatQuote({ ...piece, status: status ?? piece.status }, status !== null);
}

/** @param fresh true when the status was fetched just now */
function formatQuote({ type, state, status, charged, balance, held }: CancelCase, fresh: boolean): string {
  const credits = (total: number) => `${total.toLocaleString("en")}${formatHeldPart(held)}.`;
  if (state === "cancelled") {
    return `This ${type} is cancelled already. Refunded: ${formatCredits(charged)}. Balance ${credits(balance)}`;
  }
  if (state === "cancelling") {
    return `This ${type} is being cancelled already; the provider has not confirmed it yet.`;
  }
  const back = `${formatCredits(charged)} back, balance ${credits(balance + charged)}`;
  const word = formatStatus(status);
  const start = fresh
    ? `The provider says ${word}`
    : `The provider last said ${word}, and did not answer just now`;
  if (isTooLate(status)) return `${start}: it can hardly be cancelled. If it works: ${back}`;
  return fresh && isStillWaiting(status)
    ? `Not printed yet. ${back}`
    : `${start}: it may still be possible. ${back}`;
}
