import type { z } from "zod";
import { ensureViewerStored } from "~/people/stored-user.server";
import { checkAdmin, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatBadRequest, formatFieldProblems, parseInput, selectFilled } from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";
import { type deliveryList, deliveryQuery, replayOrder } from "./deliveries.schema.server";
import { listDeliveries, listTries, queueReplay } from "./delivery-record.server";

type WireList = Omit<z.infer<typeof deliveryList>, "success">;

/** Answers `GET /api/webhooks/deliveries`, newest first. Fails with `bad_input`, or as the database does. */
export async function listWireDeliveries(parameters: URLSearchParams): Promise<Outcome<WireList>> {
  const parsed = parseInput(deliveryQuery, selectFilled(parameters), formatBadRequest);
  if (!parsed.ok) return parsed;
  const query = parsed.value;
  return withDatabase(async (db) => {
    const found = await listDeliveries(db, query);
    const rows = found.slice(0, query.limit);
    const ids = rows.map(({ id }) => id);
    const tries = await listTries(db, ids);
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
          .filter(({ deliveryId }) => String(deliveryId) === row.id)
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
  const parsed = parseInput(replayOrder, input, formatBadRequest, formatFieldProblems);
  if (!parsed.ok) return parsed;
  const allowed = checkAdmin(viewer, "change webhook endpoints");
  if (!allowed.ok) return allowed;
  const { since, missed_only: missedOnly } = parsed.value;
  return withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    return queueReplay(db, id, { since: new Date(since), missedOnly, by: viewer.id });
  });
}
