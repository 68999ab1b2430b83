import { closeAlarmsAbout } from "~/alarms/alarm-record.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { checkAdmin } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { NO_PIECE } from "../messages";
import { findSend } from "./find-send.server";
import { giveUpSend } from "./retry-transitions.server";
import { acceptSend, decideNotMailed } from "./send-transitions.server";

const NO_PIECE_CHANGED = `${NO_PIECE} Nothing was changed.`;

/**
 * Ends the retries of a send whose outcome is not known: from then on it is only looked for. Its credits come back when
 * the provider's list lacks it. Fails with `forbidden` for anyone but admins, `not_found`, or `bad_input` when there is
 * nothing to end.
 */
export async function endRetries(id: string, viewer: Viewer): Promise<Outcome<string>> {
  const allowed = checkAdmin(viewer, "decide open pieces");
  if (!allowed.ok) return allowed;
  const done = await withDatabase(async (db) => {
    if (!(await findSend(db, id))) return "missing";
    await ensureViewerStored(db, viewer);
    const note = `${viewer.displayName} says: do not send again. The provider's list is checked for it.`;
    return (await giveUpSend(db, id, viewer.id, note)) ? "done" : "settled";
  });
  if (!done.ok) return done;
  if (done.value === "missing") return fail("not_found", NO_PIECE_CHANGED);
  return done.value === "done"
    ? succeed(
        "It will not be sent again. Its credits come back once the provider's list shows no such piece.",
      )
    : fail(
        "bad_input",
        "Nothing was changed: its outcome is known, it is being sent right now, or it was ended before.",
      );
}

/**
 * Settles a send that needs a person's decision: charges it or gives its credits back, with a ledger row under their
 * name. Fails with `forbidden` for anyone but admins, `not_found`, or `bad_input` when it needs no decision.
 */
export async function decideSend(
  id: string,
  decision: "mailed" | "not_mailed",
  viewer: Viewer,
): Promise<Outcome<string>> {
  const allowed = checkAdmin(viewer, "decide open pieces");
  if (!allowed.ok) return allowed;
  const done = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    if (!send) return "missing";
    if (send.state !== "needs_review") return "settled";
    await ensureViewerStored(db, viewer);
    const note = `${viewer.displayName} says it was ${decision === "mailed" ? "" : "not "}mailed.`;
    return db.$transaction(async (tx) => {
      const account =
        decision === "mailed"
          ? await acceptSend(tx, id, null, null, { actorId: viewer.id, note })
          : await decideNotMailed(tx, id, viewer.id, note);
      if (!account) return "settled";
      const alarm = { kind: "piece_needs_decision", subject: { type: "piece", id } } as const;
      await closeAlarmsAbout(tx, alarm, viewer.id, note);
      return "done";
    });
  });
  if (!done.ok) return done;
  if (done.value === "missing") return fail("not_found", NO_PIECE_CHANGED);
  if (done.value === "settled") {
    return fail("bad_input", "This piece no longer needs a decision. Nothing was changed.");
  }
  return succeed(
    decision === "mailed"
      ? "Marked as mailed. Its credits were charged."
      : "Marked as not mailed. Its credits were released.",
  );
}
