import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { findSend } from "./find-send.server";
import { acceptSend, releaseByDecision } from "./send-record.server";

export type Decision = "mailed" | "not_mailed";

/**
 * Settles a send that only a person can tell of: charges it or gives its credits back, with a ledger row under
 * their name (money.md §2). Fails with `not_found`, or `bad_input` when it does not wait for a decision.
 */
export async function decideSend(id: string, decision: Decision, viewer: Viewer): Promise<Outcome<string>> {
  const done = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    if (!send) return "missing";
    if (send.state !== "needs_review") return "settled";
    await ensureViewerStored(db, viewer);
    const note = `${viewer.displayName} says it was ${decision === "mailed" ? "" : "not "}mailed.`;
    const account =
      decision === "mailed"
        ? await acceptSend(db, id, null, null, { actorId: viewer.id, note })
        : await releaseByDecision(db, id, viewer.id, note);
    return account ? "done" : "settled";
  });
  if (!done.ok) return done;
  if (done.value === "missing")
    return fail("not_found", "There is no send with this id. Nothing was changed.");
  if (done.value === "settled") {
    return fail("bad_input", "This send does not wait for a decision any more. Nothing was changed.");
  }
  return succeed(
    decision === "mailed"
      ? "Booked as mailed: the credits were charged."
      : "Booked as not mailed: the credits were given back.",
  );
}
