import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { markClosed } from "./alarm-record.server";
import { ALARM_CLOSED, ALREADY_CLOSED, REASON_MISSING } from "./messages";

const MAX_REASON_CHARS = 500;

/**
 * Handles the form that closes an alarm (`alarm`, `reason`) and returns the message to show. Fails with `bad_input`
 * without a reason or for an alarm that is not open, and as the database does.
 */
export async function closeAlarm(form: FormData, viewer: Viewer): Promise<Outcome<string>> {
  const id = String(form.get("alarm") ?? "");
  const reason = String(form.get("reason") ?? "").trim();
  if (reason === "" || reason.length > MAX_REASON_CHARS) return fail("bad_input", REASON_MISSING);
  if (!/^\d{1,18}$/.test(id)) return fail("bad_input", ALREADY_CLOSED);
  const closed = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    return markClosed(db, id, viewer.id, reason);
  });
  if (!closed.ok) return closed;
  return closed.value ? succeed(ALARM_CLOSED) : fail("bad_input", ALREADY_CLOSED);
}
