import type { Viewer } from "~/people/viewer.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { decideSend, endRetries } from "~/pieces/send/decision.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DECISION_MISSING } from "./messages";

/**
 * Handles the forms of a piece's page and returns the message to show: `intent` refresh, `intent` give-up for a piece that is
 * being checked, or `decision` mailed or not_mailed for a piece that needs a decision. Fails as those do, and with `bad_input` for any other form.
 */
export async function handleStoryPost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  if (form.get("intent") === "refresh") {
    const refreshed = await refreshStatus([id], viewer);
    return refreshed.ok ? succeed(refreshed.value.message) : refreshed;
  }
  if (form.get("intent") === "give-up") return endRetries(id, viewer);
  const decision = form.get("decision");
  if (decision !== "mailed" && decision !== "not_mailed") {
    return fail("bad_input", DECISION_MISSING);
  }
  return decideSend(id, decision, viewer);
}
