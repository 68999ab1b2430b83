import type { Viewer } from "~/people/viewer.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { decideSend } from "~/pieces/send/decide.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";

/**
 * Does what a form of a send's page asks for and answers what to say of it: `decision` (mailed, not_mailed) where only
 * a person can tell, or `intent` refresh. Fails as these do, with `bad_input` for any other form.
 */
export async function doSendPost(form: FormData, id: string, viewer: Viewer): Promise<Outcome<string>> {
  if (form.get("intent") === "refresh") {
    const refreshed = await refreshStatus([id], viewer);
    return refreshed.ok ? succeed(refreshed.value.message) : refreshed;
  }
  const decision = form.get("decision");
  if (decision !== "mailed" && decision !== "not_mailed") {
    return fail("bad_input", "Say whether it was mailed. Nothing was changed.");
  }
  return decideSend(id, decision, viewer);
}
