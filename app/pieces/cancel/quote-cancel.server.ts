import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { refreshItem } from "../events/refresh-status.server";
import { isMailId } from "../mail-item";
import { isStillWaiting, isTooLate } from "../status";
import { findCaseById } from "./cancel-transitions.server";
import { CANNOT_CANCEL, formatCancelQuote, NO_ITEM, NO_MAIL_KEY } from "./messages";

/** The effect of a cancel, shown before it is confirmed. */
export interface CancelQuote {
  id: string;
  possible: boolean;
  /** Credits. */
  refund: number;
  /** The payer's balance afterwards. */
  newBalance: number;
  /** The provider's status. */
  status: string;
  /** True when the status was fetched just now; otherwise it is the last known one. */
  fresh: boolean;
  /** "Not printed yet. 1 credit back, balance 100." */
  sentence: string;
}

/**
 * Asks the provider for the status of a piece and says what cancelling it would do. Fails with `not_configured`,
 * `not_found`, `bad_input` for a test, or as the database does.
 */
export async function quoteCancel(itemId: string): Promise<Outcome<CancelQuote>> {
  if (env().providerKey === null) return fail("not_configured", NO_MAIL_KEY);
  const before = await withDatabase((db) => findCaseById(db, itemId));
  if (!before.ok) return before;
  if (!before.value) return fail("not_found", NO_ITEM);
  if (before.value.isTest || !isMailId(before.value.providerId)) return fail("bad_input", CANNOT_CANCEL);
  const asked = await refreshItem(itemId);
  const said = asked.ok && asked.value.item?.problem === null ? asked.value.item.status : null;
  const found = await withDatabase((db) => findCaseById(db, itemId));
  if (!found.ok) return found;
  const piece = found.value ?? before.value;
  const { id, type, state, charged, balance, held } = piece;
  // An item never goes back to an earlier word; whether it can be cancelled is for the provider's latest one.
  const status = said ?? piece.status;
  const fresh = said !== null;
  const late = isTooLate(status);
  const refund = state === "cancelled" ? 0 : charged;
  const waiting = isStillWaiting(status);
  return succeed({
    id,
    possible: state === "accepted" && !late,
    refund,
    newBalance: balance + refund,
    status,
    fresh,
    sentence: formatCancelQuote({ type, state, status, fresh, late, waiting, charged, balance, held }),
  });
}
