import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { cancelSend } from "~/pieces/cancel/cancel-mail.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { CANCELLING_ALL, NO_LIST, STOP_BEFORE_CANCEL } from "../messages";
import { findActor } from "./actor.server";

const BATCH_SIZE = 8;

/** Asks for the cancel of all pieces of a list that is not sent any more; the background does it. */
export async function cancelPieces(id: string, viewer: Viewer): Promise<Outcome<string>> {
  const asked = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    await db.$executeRaw`UPDATE bulk_rows SET cancel_tried = false WHERE list_id = ${id} AND cancel_tried`;
    return db.$queryRaw<{ state: string }[]>`
      UPDATE bulk_lists SET cancel_actor_id = CASE WHEN state IN ('running', 'paused') THEN NULL ELSE ${viewer.id} END
      WHERE id = ${id} RETURNING state`;
  });
  if (!asked.ok) return asked;
  const [list] = asked.value;
  if (!list) return fail("not_found", NO_LIST);
  const active = list.state === "running" || list.state === "paused";
  return active ? fail("bad_input", STOP_BEFORE_CANCEL) : succeed(CANCELLING_ALL);
}

/**
 * Cancels the pieces of such lists one by one, each with its refund. A piece is tried once: one that could not be cancelled
 * says why on its page, and a person may ask again.
 */
export const cancelListPieces: BackgroundTask<{ id: string; actorId: string }> = {
  name: "cancel_list_pieces",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<{ id: string; actorId: string }[]>`
        WITH due AS MATERIALIZED (
          SELECT r.list_id, r.number AS due_number, l.cancel_actor_id FROM bulk_lists l JOIN bulk_rows r ON r.list_id = l.id
            JOIN sends s ON s.id = r.send_id
          WHERE l.cancel_actor_id IS NOT NULL AND r.state = 'sent' AND NOT r.cancel_tried AND s.state = 'accepted'
          LIMIT ${limit}::int FOR UPDATE OF r SKIP LOCKED
        )
        UPDATE bulk_rows r SET cancel_tried = true FROM due WHERE r.list_id = due.list_id AND r.number = due_number
        RETURNING r.send_id AS id, due.cancel_actor_id AS "actorId"`,
    ),
  async work({ id, actorId }) {
    const actor = await withDatabase((db) => findActor(db, actorId));
    if (!actor.ok) return actor;
    return actor.value ? cancelSend(id, actor.value) : succeed(null);
  },
  cleanUp: () =>
    withDatabase(
      (db) => db.$executeRaw`
        UPDATE bulk_lists l SET cancel_actor_id = NULL WHERE l.cancel_actor_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM bulk_rows r JOIN sends s ON s.id = r.send_id
          WHERE r.list_id = l.id AND r.state = 'sent' AND NOT r.cancel_tried AND s.state = 'accepted')`,
    ),
};
