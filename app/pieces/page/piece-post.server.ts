import { closeAlarmsAbout } from "~/alarms/alarm-record.server";
import { callSimulate, canSimulate } from "~/outside/mail-provider/piece.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import { checkAdmin, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { type Flash, toFlash } from "~/platform/http/flash.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import { cancelSend } from "../cancel/cancel-mail.server";
import { toCancelFlash } from "../cancel/cancel-settle.server";
import { findCaseById } from "../cancel/cancel-transitions.server";
import { refreshItem, refreshStatus } from "../events/refresh-status.server";
import { formatSimulated, NO_PIECE } from "../messages";
import { giveUpSend } from "../send/retry-transitions.server";
import { findSend } from "../send/send-record.server";
import { acceptSend, decideNotMailed } from "../send/send-transitions.server";

/**
 * Handles the forms of a piece's page and returns the message to show: `intent` refresh, simulate, cancel or give-up (of
 * a piece that is being checked), or `decision` mailed or not_mailed. Fails as those do, and with `bad_input` for any
 * other form.
 */
export async function handlePiecePost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<Flash>> {
  const intent = form.get("intent");
  if (intent === "cancel") {
    const cancelled = await cancelSend(id, viewer);
    return cancelled.ok ? succeed(toCancelFlash(cancelled)) : cancelled;
  }
  if (intent === "refresh") return succeedWithFlash(await refreshStatus([id], viewer));
  if (intent === "simulate") return succeedWithFlash(await simulateNextStatus(id));
  if (intent === "give-up") return succeedWithFlash(await endRetries(id, viewer));
  const decision = form.get("decision");
  if (decision !== "mailed" && decision !== "not_mailed") {
    return fail("bad_input", "Choose whether it was mailed. Nothing was changed.");
  }
  return succeedWithFlash(await decideSend(id, decision, viewer));
}

function succeedWithFlash(done: Outcome<string | { message: string }>): Outcome<Flash> {
  return done.ok ? succeed(toFlash(done)) : done;
}

/**
 * Makes a provider on this machine move a piece to its next status, and fetches that status. Fails with `not_found`,
 * `bad_input` for a piece of any other provider, `provider_refused`, or as the database does.
 */
async function simulateNextStatus(id: string): Promise<Outcome<string>> {
  const found = await withDatabase((db) => findCaseById(db, id));
  if (!found.ok) return found;
  const piece = found.value;
  if (!piece) return fail("not_found", NO_PIECE);
  const { baseUrl, type, providerId, keyFingerprint } = piece;
  if (providerId === null || piece.isTest || !canSimulate(baseUrl)) {
    return fail(
      "bad_input",
      "Only a provider on this machine can be told to move a piece on. Nothing was changed.",
    );
  }
  const address = { baseUrl, type, id: providerId, keyFingerprint };
  const problem = await callSimulate(address, env().providerTimeoutMs);
  if (problem !== null) {
    const message = `The local provider did not move it on: ${endSentence(problem)} Nothing was changed.`;
    return fail("provider_refused", message);
  }
  const refreshed = await refreshItem(id);
  return refreshed.ok ? succeed(formatSimulated(refreshed.value.item?.status ?? null)) : refreshed;
}

const NO_PIECE_CHANGED = fail("not_found", `${NO_PIECE} Nothing was changed.`);
const NOT_RETRIED = fail(
  "bad_input",
  "Nothing was changed: its outcome is known, it is being sent right now, or it was ended before.",
);
const NO_DECISION_NEEDED = fail("bad_input", "This piece no longer needs a decision. Nothing was changed.");

/**
 * Ends the retries of a send whose outcome is not known: from then on it is only looked for. Its credits come back when
 * the provider's list lacks it. Fails with `forbidden` for anyone but admins, `not_found`, or `bad_input` when there is
 * nothing to end.
 */
async function endRetries(id: string, viewer: Viewer): Promise<Outcome<string>> {
  const allowed = checkAdmin(viewer, "decide open pieces");
  if (!allowed.ok) return allowed;
  return withDatabase(async (db) => {
    if (!(await findSend(db, id))) return NO_PIECE_CHANGED;
    await ensureViewerStored(db, viewer);
    const note = `${viewer.displayName} says: do not send again. The provider's list is checked for it.`;
    if (await giveUpSend(db, id, viewer.id, note)) {
      return "It will not be sent again. Its credits come back once the provider's list shows no such piece.";
    }
    return NOT_RETRIED;
  });
}

/**
 * Settles a send that needs a person's decision: charges it or gives its credits back, with a ledger row under their
 * name. Fails with `forbidden` for anyone but admins, `not_found`, or `bad_input` when it needs no decision.
 */
export async function decideSend(id: string, decision: "mailed" | "not_mailed", viewer: Viewer) {
  const allowed = checkAdmin(viewer, "decide open pieces");
  if (!allowed.ok) return allowed;
  return withDatabase(async (db) => {
    const send = await findSend(db, id);
    if (!send) return NO_PIECE_CHANGED;
    if (send.state !== "needs_review") return NO_DECISION_NEEDED;
    await ensureViewerStored(db, viewer);
    const note = `${viewer.displayName} says it was ${decision === "mailed" ? "" : "not "}mailed.`;
    return db.$transaction(async (tx) => {
      const account =
        decision === "mailed"
          ? await acceptSend(tx, id, null, null, { actorId: viewer.id, note })
          : await decideNotMailed(tx, id, viewer.id, note);
      if (!account) return NO_DECISION_NEEDED;
      const alarm = { kind: "piece_needs_decision", subject: { type: "piece", id } } as const;
      await closeAlarmsAbout(tx, alarm, viewer.id, note);
      return decision === "mailed"
        ? "Marked as mailed. Its credits were charged."
        : "Marked as not mailed. Its credits were released.";
    });
  });
}
