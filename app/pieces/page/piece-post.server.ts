import { callSimulate, canSimulate } from "~/outside/mail-provider/piece.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import type { Flash } from "~/platform/http/flash.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { cancelSend } from "../cancel/cancel-mail.server";
import { toCancelFlash } from "../cancel/cancel-result";
import { findCaseById } from "../cancel/cancel-transitions.server";
import { refreshItem, refreshStatus } from "../events/refresh-status.server";
import { endSentence, formatSimulated, NO_PIECE } from "../messages";
import { decideSend, endRetries } from "../send/decision.server";

/**
 * Handles the forms of a piece's page and returns the message to show: `intent` refresh, simulate, cancel or give-up (of
 * a piece that is being checked), or `decision` mailed or not_mailed. Fails as those do, and with `bad_input` for any
 * other form.
 */
export async function handlePiecePost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<Flash>> {
  if (form.get("intent") === "refresh") {
    const refreshed = await refreshStatus([id], viewer);
    return refreshed.ok ? succeed({ tone: "ok", message: refreshed.value.message }) : refreshed;
  }
  if (form.get("intent") === "cancel") {
    const cancelled = await cancelSend(id, viewer);
    return cancelled.ok ? succeed(toCancelFlash(cancelled)) : cancelled;
  }
  if (form.get("intent") === "simulate") return toFlash(await simulateNextStatus(id));
  if (form.get("intent") === "give-up") return toFlash(await endRetries(id, viewer));
  const decision = form.get("decision");
  if (decision !== "mailed" && decision !== "not_mailed") {
    return fail("bad_input", "Choose whether it was mailed. Nothing was changed.");
  }
  return toFlash(await decideSend(id, decision, viewer));
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

function toFlash(done: Outcome<string>): Outcome<Flash> {
  return done.ok ? succeed({ tone: "ok", message: done.value }) : done;
}
