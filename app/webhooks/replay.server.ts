import { checkAdmin } from "~/people/admin.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatFieldProblems } from "~/platform/input-problems.server";
import { fail, type Outcome } from "~/platform/outcome";
import { queueReplay } from "./delivery-record.server";
import { replayOrder } from "./event.schema.server";
import { IS_OFF, NO_SUCH_ENDPOINT } from "./messages";

/**
 * Queues every event since a time for an endpoint again and returns how many. Fails with `bad_input`, `forbidden`, `not_found`, or as
 * the database does.
 */
export async function replayEvents(id: string, input: unknown, viewer: Viewer): Promise<Outcome<number>> {
  const order = replayOrder.safeParse(input);
  if (!order.success)
    return fail("bad_input", `The request is not valid: ${formatFieldProblems(order.error)}.`);
  const allowed = checkAdmin(viewer, "change webhook endpoints");
  if (!allowed.ok) return allowed;
  const { since, missed_only: missedOnly } = order.data;
  const queued = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    return queueReplay(db, { endpointId: id, since: new Date(since), missedOnly, by: viewer.id });
  });
  if (!queued.ok) return queued;
  if (queued.value === null) return fail("not_found", NO_SUCH_ENDPOINT);
  return queued.value === "off" ? fail("bad_input", IS_OFF) : { ok: true, value: queued.value };
}
