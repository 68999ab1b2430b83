import type { z } from "zod";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { checkAdmin } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatBadRequest, formatFieldProblems, parseInput, selectFilled } from "~/platform/input.server";
import { fail, type Outcome } from "~/platform/outcome";
import { listDeliveries, listTries, queueReplay } from "./delivery-record.server";
import { type deliveryList, deliveryQuery, replayOrder } from "./event.schema.server";
import { IS_OFF, NO_SUCH_ENDPOINT } from "./messages";

type WireList = Omit<z.infer<typeof deliveryList>, "success">;

/** Answers `GET /api/webhooks/deliveries`, newest first. Fails with `bad_input`, or as the database does. */
export async function listWireDeliveries(parameters: URLSearchParams): Promise<Outcome<WireList>> {
  const parsed = parseInput(deliveryQuery, selectFilled(parameters), formatBadRequest);
  if (!parsed.ok) return parsed;
  const query = parsed.value;
  const filter = {
    endpointId: query.endpoint_id ?? null,
    state: query.state ?? null,
    type: query.type ?? null,
    pieceId: query.piece_id ?? null,
    messageId: query.message_id ?? null,
    before: query.cursor ?? null,
    limit: query.limit,
  };
  return withDatabase(async (db) => {
    const found = await listDeliveries(db, filter);
    const rows = found.slice(0, query.limit);
    const tries = await listTries(
      db,
      rows.map(({ id }) => id),
    );
    return {
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
      next_cursor: found.length > query.limit ? (rows.at(-1)?.id ?? null) : null,
    };
  });
}

/** Queues an endpoint's events since a time. Fails with `bad_input`, `forbidden`, `not_found`, or as the database does. */
export async function replayEvents(id: string, input: unknown, viewer: Viewer): Promise<Outcome<number>> {
  const order = parseInput(replayOrder, input, formatBadRequest, formatFieldProblems);
  if (!order.ok) return order;
  const allowed = checkAdmin(viewer, "change webhook endpoints");
  if (!allowed.ok) return allowed;
  const { since, missed_only: missedOnly } = order.value;
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    const queued = await queueReplay(db, {
      endpointId: id,
      since: new Date(since),
      missedOnly,
      by: viewer.id,
    });
    if (queued === null) return fail("not_found", NO_SUCH_ENDPOINT);
    return queued === "off" ? fail("bad_input", IS_OFF) : queued;
  });
}
