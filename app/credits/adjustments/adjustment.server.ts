import { randomUUID } from "node:crypto";
import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Failure, fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import type { CreditUser } from "../credit-user";
import { loadCreditUser, NO_SUCH_USER } from "../credit-users.server";
import { type Entry, MAX_BALANCE, type Posted, postEntry } from "../ledger/ledger.server";
import type { Adjustment } from "./adjustment.schema.server";

export interface Adjusted {
  /** spec §8 'Successfully added N credits to {user}'. */
  message: string;
  /** As they then are. */
  user: CreditUser;
}

/**
 * Adds or deducts credits by hand, and writes down who did (money.md §5). A deduct takes what is available and no
 * more. With a key, the same adjustment asked for again counts once and answers the same.
 *
 * Fails with `not_found` for a user there is not, `insufficient_credits`, `bad_input` when the balance would grow
 * beyond every bound, `key_reused`, `not_configured` or `database_unavailable`; then nothing moved.
 */
export async function adjustCredits(adjustment: Adjustment, viewer: Viewer): Promise<Outcome<Adjusted>> {
  const entry: Entry = {
    userId: adjustment.userId,
    type: adjustment.action === "add" ? "credit" : "debit",
    amount: adjustment.amount,
    description: adjustment.description,
    actorId: viewer.id,
    cause: "adjustment",
    causeKey: adjustment.idempotencyKey === null ? randomUUID() : `${viewer.id}:${adjustment.idempotencyKey}`,
  };
  const posted = await withDatabase(async (db) => {
    // The viewer may be the user, and the ledger names the viewer as the actor.
    await ensureViewerStored(db, viewer);
    if (!(await userExists(db, entry.userId))) return null;
    const result = await postEntry(db, entry);
    return { ...result, reused: result.kind === "repeated" && !(await isSameEntry(db, entry)) };
  });
  if (!posted.ok) return posted;
  if (!posted.value) return NO_SUCH_USER;
  if (posted.value.reused) return KEY_REUSED;
  const user = await loadCreditUser(viewer, entry.userId);
  if (!user.ok) return user;
  if (posted.value.kind === "refused")
    return { ok: false, failure: explainRefusal(entry, posted.value, user.value) };
  const done = adjustment.action === "add" ? "added" : "deducted";
  const direction = adjustment.action === "add" ? "to" : "from";
  return succeed({
    message: `Successfully ${done} ${adjustment.amount} credits ${direction} ${user.value.displayName}`,
    user: user.value,
  });
}

const KEY_REUSED = fail(
  "key_reused",
  "This form or key was used already for another adjustment, which stands. Nothing more was changed; look at the history, then start anew.",
);

function explainRefusal(entry: Entry, { balance, held }: Posted, { displayName }: CreditUser): Failure {
  if (entry.type === "credit") {
    return fail(
      "bad_input",
      `The balance would go over ${MAX_BALANCE.toLocaleString("en")} credits. Nothing was changed.`,
    ).failure;
  }
  const promised = held > 0 ? ` (${balance}, of which ${held} are held for sends under way)` : "";
  return fail(
    "insufficient_credits",
    `${displayName} has ${balance - held} credits available${promised}. Nothing was changed.`,
  ).failure;
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
