import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { refreshItem } from "../events/refresh-status.server";
import { CANNOT_CANCEL, isMailId } from "../mail-item";
import { isTooLate } from "../status";
import { NO_MAIL_KEY } from "./cancel-mail.server";
import { findCaseById } from "./cancel-record.server";

/** What a cancel would do, before anybody confirms it (issue 6). */
export interface CancelQuote {
  id: string;
  possible: boolean;
  /** Credits. */
  refund: number;
  /** What the payer would then have. */
  newBalance: number;
  /** The provider's word. */
  status: string;
  /** Whether it was asked just now; else the word is the last one heard. */
  fresh: boolean;
  /** "Refunds 1 credit -> 42. The provider says received: still possible." */
  sentence: string;
}

/**
 * Asks the provider where the piece stands and says what cancelling would bring. Fails with `bad_input` for a test,
 * `not_found`, `not_configured`, or as the database does.
 */
export async function quoteCancel(itemId: string): Promise<Outcome<CancelQuote>> {
  const before = await withDatabase((db) => findCaseById(db, itemId));
  if (!before.ok) return before;
  if (!before.value) return fail("not_found", "There is no mail item with this id.");
  if (before.value.isTest || !isMailId(before.value.providerId)) return fail("bad_input", CANNOT_CANCEL);
  if (env().providerKey === null) return fail("not_configured", NO_MAIL_KEY);
  const asked = await refreshItem(itemId);
  const said = asked.ok && asked.value.item?.problem === null ? asked.value.item.status : null;
  const found = await withDatabase((db) => findCaseById(db, itemId));
  if (!found.ok) return found;
  const piece = found.value ?? before.value;
  const { id, type, state, charged, balance } = piece;
  // An item never goes back to an earlier word; whether it can be cancelled is for the provider's latest one.
  const status = said ?? piece.status;
  const fresh = said !== null;
  const base = { id, refund: charged, newBalance: balance + charged, status, fresh };
  if (state === "cancelled") {
    return succeed({
      ...base,
      possible: false,
      refund: 0,
      newBalance: balance,
      sentence: `This ${type} is cancelled already, and what was charged was refunded: ${charged}. Balance ${balance.toLocaleString("en")}.`,
    });
  }
  if (state === "cancelling") {
    const sentence = `This ${type} is being cancelled already; the provider has not confirmed it yet.`;
    return succeed({ ...base, possible: false, sentence });
  }
  const late = isTooLate(status);
  const word = fresh
    ? `The provider says ${status}: ${late ? "probably too late" : "still possible"}.`
    : `The provider last said ${status}, and could not be asked just now: ${late ? "probably too late" : "it may still be possible"}.`;
  const credits = `${charged} ${charged === 1 ? "credit" : "credits"}`;
  const sentence = late
    ? `${word} If it works, it refunds ${credits} -> ${(balance + charged).toLocaleString("en")}.`
    : `Refunds ${credits} -> ${(balance + charged).toLocaleString("en")}. ${word}`;
  return succeed({ ...base, possible: !late, sentence });
}
