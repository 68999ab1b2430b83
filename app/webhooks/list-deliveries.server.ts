import type { z } from "zod";
import { withDatabase } from "~/platform/database/database.server";
import { formatProblems } from "~/platform/input-problems.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { listDeliveries, listTries } from "./delivery-record.server";
import { type deliveryList, deliveryQuery } from "./event.schema.server";

type WireList = Omit<z.infer<typeof deliveryList>, "success">;

/** Answers `GET /api/webhooks/deliveries`, newest first. Fails with `bad_input`, or as the database does. */
export async function listWireDeliveries(parameters: URLSearchParams): Promise<Outcome<WireList>> {
  const given = Object.fromEntries([...parameters].filter(([, value]) => value.trim() !== ""));
  const parsed = deliveryQuery.safeParse(given);
  if (!parsed.success) return fail("bad_input", `The request is not valid: ${formatProblems(parsed.error)}.`);
  const { endpoint_id = null, state = null, limit, cursor = null, ...of } = parsed.data;
  const { type = null, piece_id = null, message_id = null } = of;
  const loaded = await withDatabase(async (db) => {
    const filter = { endpointId: endpoint_id, state, type, pieceId: piece_id, messageId: message_id };
    const rows = await listDeliveries(db, { ...filter, before: cursor, limit });
    const shown = rows.slice(0, limit);
    const tries = await listTries(
      db,
      shown.map(({ id }) => id),
    );
    return { shown, tries, more: rows.length > limit };
  });
  if (!loaded.ok) return loaded;
  const { shown, tries, more } = loaded.value;
  return succeed({
    data: shown.map((row) => ({
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
    next_cursor: more ? (shown.at(-1)?.id ?? null) : null,
  });
}
