import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { cancelSend } from "~/pieces/cancel/cancel-mail.server";
import { cancelLeaseMs } from "~/pieces/lease.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type FailureCode, fail, type Outcome, succeed } from "~/platform/outcome";
import { Prisma } from "../../../prisma/client/client";
import { ACTIVE_STATES } from "../bulk-list";
import { withLockedList } from "../list-record.server";
import { CANCELLING_ALL } from "../messages";
import { findActor } from "./claim-rows.server";
import { findListWithRoom } from "./list-pace.server";

const BATCH_SIZE = 8;
/** Time of a lease beyond the lease of its call. */
const LEASE_MARGIN_MS = 5_000;

/** SQL condition: row `r` has a piece that may still be cancelled, and its cancel was not tried. */
const IS_CANCELLABLE = Prisma.sql`r.state = 'sent' AND NOT r.cancel_tried
  AND EXISTS (SELECT FROM sends s WHERE s.id = r.send_id AND s.state = 'accepted')`;

/** Requests the cancel of all pieces of an ended list; the background does it. */
export function cancelPieces(id: string, viewer: Viewer): Promise<Outcome<string>> {
  return withLockedList(id, async (tx, { state }) => {
    if (ACTIVE_STATES.includes(state)) {
      return fail("bad_input", "Stop the list first, then cancel what was sent. Nothing was cancelled.");
    }
    await ensureViewerStored(tx, viewer);
    await tx.$executeRaw`UPDATE bulk_rows SET cancel_tried = false WHERE list_id = ${id} AND cancel_tried`;
    const updated = await tx.$executeRaw`
      UPDATE bulk_lists l SET cancel_actor_id = ${viewer.id}
      WHERE l.id = ${id} AND EXISTS (SELECT FROM bulk_rows r WHERE r.list_id = l.id AND ${IS_CANCELLABLE})`;
    return updated === 1
      ? CANCELLING_ALL
      : fail("bad_input", "No piece of this list can be cancelled. Nothing was changed.");
  });
}

/** Failures that are no answer about the piece; its cancel is retried. */
const RETRIED: readonly FailureCode[] = [
  "rate_limited",
  "overloaded",
  "provider_unreachable",
  "database_unavailable",
];

type CancelledRow = { id: string; listId: string; number: number; actorId: string };

/**
 * Cancels and refunds the pieces of such lists one by one, within the lists' share of the rate limit. A piece that cannot be cancelled
 * shows why on its page, and a person may try again. Another process takes over expired leases.
 */
export const cancelBulkPieces: BackgroundTask<CancelledRow> = {
  name: "cancel_list_pieces",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  claim: (limit) => withDatabase((db) => claimCancels(db, limit)),
  async work({ id, listId, number, actorId }) {
    const actor = await withDatabase((db) => findActor(db, actorId));
    if (!actor.ok) return actor;
    const done = actor.value ? await cancelSend(id, actor.value) : succeed(null);
    const tried = done.ok || !RETRIED.includes(done.failure.code);
    const stored = await withDatabase(
      (db) => db.$executeRaw`
        UPDATE bulk_rows SET cancel_tried = ${tried}, lease_until = NULL WHERE list_id = ${listId} AND number = ${number}::int`,
    );
    return done.ok ? stored : done;
  },
  cleanUp: () =>
    withDatabase(
      (db) => db.$executeRaw`
        UPDATE bulk_lists l SET cancel_actor_id = NULL WHERE l.cancel_actor_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM bulk_rows r WHERE r.list_id = l.id AND ${IS_CANCELLABLE})`,
    ),
};

async function claimCancels(db: Db, limit: number): Promise<CancelledRow[]> {
  const wanted = await db.$queryRaw<{ id: string; baseUrl: string }[]>`
    SELECT id, design::json ->> 'baseUrl' AS "baseUrl" FROM bulk_lists
    WHERE cancel_actor_id IS NOT NULL ORDER BY served_at NULLS FIRST, id`;
  const next = findListWithRoom(wanted, () => limit);
  if (!next) return [];
  await db.$executeRaw`UPDATE bulk_lists SET served_at = clock_timestamp() WHERE id = ${next.id}`;
  return db.$queryRaw<CancelledRow[]>`
    WITH due AS MATERIALIZED (
      SELECT r.number AS due_number, l.cancel_actor_id FROM bulk_lists l JOIN bulk_rows r ON r.list_id = l.id
        JOIN sends s ON s.id = r.send_id
      WHERE l.id = ${next.id} AND l.cancel_actor_id IS NOT NULL AND r.state = 'sent' AND NOT r.cancel_tried
        AND s.state = 'accepted' AND (r.lease_until IS NULL OR r.lease_until <= clock_timestamp())
      LIMIT ${next.room}::int FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE bulk_rows r SET lease_until = clock_timestamp() + ${cancelLeaseMs(1) + LEASE_MARGIN_MS}::float8 * interval '1 millisecond'
    FROM due WHERE r.list_id = ${next.id} AND r.number = due_number
    RETURNING r.send_id AS id, r.list_id AS "listId", r.number, due.cancel_actor_id AS "actorId"`;
}
