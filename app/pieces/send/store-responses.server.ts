import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { flagIfCancelled } from "~/responses/flag-cancelled.server";
import { insertResponse } from "~/responses/response-record.server";
import { buildAutoResponse, type SavedCall, saveInBackground } from "~/responses/save/auto-save.server";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";

/** A settled send whose response is not stored yet. What was never begun has no response. */
interface UnsavedSend {
  id: string;
  userId: string;
  actorId: string;
  /** JSON text of an `SavedCall`. */
  unsavedRequest: string;
  answerStatus: number | null;
  answerHeaders: string | null;
  answerText: string | null;
  durationMs: number | null;
}

const BATCH_SIZE = 100;

/**
 * Stores the responses of settled sends that have none yet, under the sends' own ids, so that no retry, reload or
 * second process makes another. It is done from what the send keeps, whoever settled it.
 */
export const storeSettledSends: BackgroundTask<UnsavedSend> = {
  name: "store_settled_sends",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) => withDatabase((db) => findUnsaved(db, Prisma.empty, limit)),
  work: (send) => withDatabase((db) => saveOne(db, send)),
};

/** The same for one send, once the answer that waits for this is on its way. */
export function storeResponseSoon(id: string): void {
  saveInBackground(0, () =>
    withDatabase(async (db) => {
      for (const send of await findUnsaved(db, Prisma.sql`AND id = ${id}`, 1)) await saveOne(db, send);
    }),
  );
}

function findUnsaved(db: PrismaClient, condition: Prisma.Sql, limit: number): Promise<UnsavedSend[]> {
  return db.$queryRaw<UnsavedSend[]>`
    SELECT id, user_id AS "userId", actor_id || coalesce(' via ' || via, '') AS "actorId", unsaved_request AS "unsavedRequest",
      answer_status AS "answerStatus", answer_headers AS "answerHeaders", answer_text AS "answerText",
      duration_ms AS "durationMs"
    FROM sends WHERE unsaved_request IS NOT NULL AND attempts > 0 AND settled_at IS NOT NULL ${condition}
    ORDER BY settled_at LIMIT ${limit}::int`;
}

async function saveOne(db: PrismaClient, send: UnsavedSend): Promise<void> {
  const { id, userId, actorId, answerStatus, answerHeaders, answerText, durationMs } = send;
  const answer =
    answerStatus === null
      ? null
      : {
          status: answerStatus,
          text: answerText ?? "",
          headers: JSON.parse(answerHeaders ?? "{}") as Record<string, string>,
          durationMs: durationMs ?? 0,
        };
  const asked = JSON.parse(send.unsavedRequest) as SavedCall;
  await db.$transaction(async (tx) => {
    // Claimed first: a second process waits here for the first one, then finds nothing left to store.
    if (!(await takeUnsavedRequest(tx, id))) return;
    await insertResponse(tx, buildAutoResponse({ id, userId, actorId, sendId: id }, asked, answer));
    await flagIfCancelled(tx, id);
  });
}

/** Whether this transaction is the one that stores the response. If it fails, the request is there again. */
async function takeUnsavedRequest(tx: Db, id: string): Promise<boolean> {
  const taken = await tx.$executeRaw`
    UPDATE sends SET unsaved_request = NULL WHERE id = ${id} AND unsaved_request IS NOT NULL`;
  return taken === 1;
}
