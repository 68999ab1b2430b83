import type { Viewer } from "~/people/viewer.server";
import type { Flash } from "~/platform/http/flash.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { cancelSend } from "../cancel/cancel-mail.server";
import { toCancelFlash } from "../cancel/cancel-result";
import { quoteCancel } from "../cancel/quote-cancel.server";
import { refreshStatus } from "../events/refresh-status.server";
import { simulateNextStatus } from "../events/simulate-status.server";
import { decideSend, endRetries } from "../send/decision.server";
import { DECISION_MISSING } from "./messages";

/**
 * Handles the forms of a piece's page and returns the message to show: `intent` refresh, simulate, cancel, or give-up for a piece that
 * is being checked, or `decision` mailed or not_mailed for a piece that needs a decision. Fails as those do, and with `bad_input` for any other form.
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
    return fail("bad_input", DECISION_MISSING);
  }
  return toFlash(await decideSend(id, decision, viewer));
}

/**
 * What a cancel would do, for the page to ask before it is done: the failure's message where that cannot be told.
 * Asks the provider, whose answer may change the status that the page shows.
 */
export async function loadCancelQuestion(id: string): Promise<string> {
  const quote = await quoteCancel(id);
  return quote.ok ? quote.value.sentence : quote.failure.message;
}

function toFlash(done: Outcome<string>): Outcome<Flash> {
  return done.ok ? succeed({ tone: "ok", message: done.value }) : done;
}
