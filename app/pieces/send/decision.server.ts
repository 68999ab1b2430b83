import { closeAlarmsAbout } from "~/alarms/alarm-record.server";
import { checkAdmin } from "~/people/admin.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import {
  DECIDED_MAILED,
  DECIDED_NOT_MAILED,
  formatDecision,
  formatGivenUp,
  NEEDS_NO_DECISION,
  NO_RETRIES_TO_END,
  NO_SEND,
  RETRIES_ENDED,
} from "../messages";
import { findSend } from "./find-send.server";
import { acceptSend, decideNotMailed, giveUpSend } from "./send-transitions.server";

/**
 * Ends the repetitions of a send whose outcome is not known: from then on it is only looked for. Its credits come back when the
 * provider shows that there is no such piece. Fails with `forbidden` for who is no admin, `not_found`, or `bad_input` where nothing is left to end.
 */
export async function endRetries(id: string, viewer: Viewer): Promise<Outcome<string>> {
  const allowed = checkAdmin(viewer, "decide open pieces");
  if (!allowed.ok) return allowed;
  const done = await withDatabase(async (db) => {
    if (!(await findSend(db, id))) return "missing";
    await ensureViewerStored(db, viewer);
    const note = formatGivenUp(viewer.displayName);
    return (await giveUpSend(db, id, viewer.id, note)) ? "done" : "settled";
  });
  if (!done.ok) return done;
  if (done.value === "missing") return fail("not_found", NO_SEND);
  return done.value === "done" ? succeed(RETRIES_ENDED) : fail("bad_input", NO_RETRIES_TO_END);
}

export type Decision = "mailed" | "not_mailed";

/**
 * Settles a send that only a person can tell of: charges it or gives its credits back, with a ledger row under
 * their name. Fails with `forbidden` for who is no admin, `not_found`, or `bad_input` when it does not wait for a decision.
 */
export async function decideSend(id: string, decision: Decision, viewer: Viewer): Promise<Outcome<string>> {
  const allowed = checkAdmin(viewer, "decide open pieces");
  if (!allowed.ok) return allowed;
  const done = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    if (!send) return "missing";
    if (send.state !== "needs_review") return "settled";
    await ensureViewerStored(db, viewer);
    const note = formatDecision(viewer.displayName, decision === "mailed");
    return db.$transaction(async (tx) => {
      const account =
        decision === "mailed"
          ? await acceptSend(tx, id, null, null, { actorId: viewer.id, note })
          : await decideNotMailed(tx, id, viewer.id, note);
      if (!account) return "settled";
      const about = { kind: "piece_needs_decision", subject: { type: "piece", id } } as const;
      await closeAlarmsAbout(tx, about, viewer.id, note);
      return "done";
    });
  });
  if (!done.ok) return done;
  if (done.value === "missing") return fail("not_found", NO_SEND);
  if (done.value === "settled") {
    return fail("bad_input", NEEDS_NO_DECISION);
  }
  return succeed(decision === "mailed" ? DECIDED_MAILED : DECIDED_NOT_MAILED);
}
