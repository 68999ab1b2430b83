import { randomUUID } from "node:crypto";
import { ensureViewerStored, NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { checkAdmin, checkFresh } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import type { CreditUser } from "../credit-user";
import { loadCreditUser } from "../credit-users.server";
import { formatCredits } from "../format-credits";
import { type Entry, MAX_BALANCE, postEntry } from "../ledger/ledger.server";
import type { Adjustment } from "./adjustment.schema.server";

export interface Adjusted {
  message: string;
  /** The user after the adjustment. */
  user: CreditUser;
}

/**
 * Adds or deducts credits by hand and records the person. A deduction takes at most what is available. Repeated with the same key, an
 * adjustment counts once and returns the same answer.
 *
 * Fails with `forbidden` for a person who is no admin or signed in long ago, `not_found` for an unknown user, `insufficient_credits`,
 * `bad_input` when the balance would exceed its limit, `key_reused`, `not_configured` or `database_unavailable`; nothing is changed.
 */
export async function adjustCredits(adjustment: Adjustment, viewer: Viewer): Promise<Outcome<Adjusted>> {
  const allowed = checkAdmin(viewer, "adjust credits");
  if (!allowed.ok) return allowed;
  const fresh = checkFresh(viewer);
  if (!fresh.ok) return fresh;
  const entry: Entry = {
    userId: adjustment.userId,
    type: adjustment.action === "add" ? "credit" : "debit",
    amount: adjustment.amount,
    description: adjustment.description,
    actorId: viewer.actorId,
    cause: "adjustment",
    causeKey: adjustment.idempotencyKey === null ? randomUUID() : `${viewer.id}:${adjustment.idempotencyKey}`,
  };
  const posted = await withDatabase(async (db) => {
    // The ledger row names the viewer as its actor, and the viewer may be the user too.
    await ensureViewerStored(db, viewer);
    if (!(await userExists(db, entry.userId))) return null;
    const result = await postEntry(db, entry);
    return { ...result, reused: result.kind === "repeated" && !(await isSameEntry(db, entry)) };
  });
  if (!posted.ok) return posted;
  if (!posted.value) return NO_SUCH_USER;
  if (posted.value.reused) {
    return fail(
      "key_reused",
      "This form was already used for another adjustment, so nothing more was changed. Check the history, then start again.",
    );
  }
  const user = await loadCreditUser(viewer, entry.userId);
  if (!user.ok) return user;
  const { displayName } = user.value;
  if (posted.value.kind === "refused") {
    const { balance, held } = posted.value;
    const parts = held > 0 ? ` (balance ${balance}, reserved ${held})` : "";
    return adjustment.action === "add"
      ? fail(
          "bad_input",
          `A balance can have ${MAX_BALANCE.toLocaleString("en")} credits at most. Nothing was changed.`,
        )
      : fail(
          "insufficient_credits",
          `${displayName} has ${formatCredits(balance - held)} available${parts}. Nothing was changed.`,
        );
  }
  const [done, direction] = adjustment.action === "add" ? ["added", "to"] : ["deducted", "from"];
  const message = `Successfully ${done} ${formatCredits(adjustment.amount)} ${direction} ${displayName}`;
  return succeed({ message, user: user.value });
}

async function isSameEntry(db: PrismaClient, entry: Entry): Promise<boolean> {
  const { userId, type, amount, description, cause, causeKey } = entry;
  const found = await db.creditTransaction.findUnique({ where: { cause_causeKey: { cause, causeKey } } });
  return (
    found?.userId === userId &&
    found.transactionType === type &&
    found.amount === amount &&
    found.description === description
  );
}
