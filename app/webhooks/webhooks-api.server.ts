import type { z } from "zod";
import { checkAdmin } from "~/people/admin.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatFieldProblems, formatProblems } from "~/platform/input-problems.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { listDeliveries, listTries, queueReplay } from "./delivery-record.server";
import { type deliveryList, deliveryQuery, replayOrder } from "./event.schema.server";
import { IS_OFF, NO_SUCH_ENDPOINT } from "./messages";

type WireList = Omit<z.infer<typeof deliveryList>, "success">;

/** Answers `GET /api/webhooks/deliveries`, newest first. Fails with `bad_input`, or as the database does. */
export async function listWireDeliveries(parameters: URLSearchParams): Promise<Outcome<WireList>> {
  const input = Object.fromEntries([...parameters].filter(([, value]) => value.trim() !== ""));
  const parsed = deliveryQuery.safeParse(input);
  if (!parsed.success) return fail("bad_input", `The request is not valid: ${formatProblems(parsed.error)}.`);
  const query = parsed.data;
  const filter = {
    endpointId: query.endpoint_id ?? null,
    state: query.state ?? null,
    type: query.type ?? null,
    pieceId: query.piece_id ?? null,
    messageId: query.message_id ?? null,
    before: query.cursor ?? null,
    limit: query.limit,
  };
  const loaded = await withDatabase(async (db) => {
    const found = await listDeliveries(db, filter);
    const rows = found.slice(0, query.limit);
    const ids = rows.map(({ id }) => id);
    return { rows, tries: await listTries(db, ids), more: found.length > query.limit };
  });
  if (!loaded.ok) return loaded;
  const { rows, tries, more } = loaded.value;
  return succeed({
    data: rows.map((row) => ({
      id: row.id,
      endpoint_id: row.endpointId,
      message_id: row.messageId,
      type: row.type as WireList["data"][number]["type"],
      piece_id: row.pieceId,
      state: row.state,
      created_at: row.createdAt.toISOString(),
      next_try_at: row.state === "waiting" ? row.nextAt.toISOString() : null,
      tries: tries
        .filter(({ deliveryId }) => deliveryId === row.id)
        .map((one) => ({
          at: one.at.toISOString(),
          status: one.status,
          problem: one.problem,
          duration_ms: one.durationMs,
          answer: one.answerText,
        })),
    })),
    next_cursor: more ? (rows.at(-1)?.id ?? null) : null,
  });
}

/** Queues an endpoint's events since a time. Fails with `bad_input`, `forbidden`, `not_found`, or as the database does. */
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
  return queued.value === "off" ? fail("bad_input", IS_OFF) : succeed(queued.value);
}
