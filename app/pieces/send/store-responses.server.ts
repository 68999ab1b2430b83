import { setTimeout as wait } from "node:timers/promises";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { flagIfCancelled } from "~/responses/flag-cancelled.server";
import { insertResponses } from "~/responses/response-record.server";
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
/** Together they take little more of the database than one, and one answer may be a million characters long. */
const MOST_TOGETHER = 16;
const GATHER_MS = 15;

const IS_UNSAVED = Prisma.sql`unsaved_request IS NOT NULL AND attempts > 0 AND settled_at IS NOT NULL`;

/** The sends whose responses this process stores next, in their order, and since when. */
const soon = new Map<string, number>();
let isStoring = false;

/**
 * Stores the responses of settled sends that have none yet, under the sends' own ids, so that no retry, reload or
 * second process makes another. It is done from what the send keeps, whoever settled it.
 */
export const storeSettledSends: BackgroundTask = {
  name: "store_settled_sends",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) => withDatabase((db) => findUnsaved(db, limit)),
  work: ({ id }) => withDatabase((db) => storeSends(db, new Map([[id, performance.now()]]))),
};

/** The same for one send, once the answer that waits for this is on its way, together with others of the same moment. */
export function storeResponseSoon(id: string): void {
  soon.set(id, performance.now());
  if (!isStoring) saveInBackground(0, storeSoon);
}

/** Leaves what cannot be stored to {@link storeSettledSends}, which stores one after the other. */
async function storeSoon(): Promise<Outcome<unknown>> {
  if (isStoring) return succeed(null);
  isStoring = true;
  try {
    await wait(GATHER_MS);
    while (soon.size > 0) {
      const batch = new Map([...soon].slice(0, MOST_TOGETHER));
      for (const id of batch.keys()) soon.delete(id);
      const stored = await withDatabase((db) => storeSends(db, batch));
      if (!stored.ok) return stored;
    }
    return succeed(null);
  } finally {
    isStoring = false;
    soon.clear();
  }
}

function findUnsaved(db: PrismaClient, limit: number): Promise<{ id: string }[]> {
  return db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sends WHERE ${IS_UNSAVED} ORDER BY settled_at LIMIT ${limit}::int`;
}

/** @param since when each was settled, as far as this process knows, by `performance.now()` */
function storeSends(db: PrismaClient, since: ReadonlyMap<string, number>): Promise<void> {
  return db.$transaction(async (tx) => {
    // Taken first: a second process waits here for the first one, then finds nothing left to store. If this fails, the
    // requests are there again.
    const taken = await tx.$queryRaw<UnsavedSend[]>`
      WITH unsaved AS (
        SELECT id, user_id, actor_id || coalesce(' via ' || via, '') AS actor, unsaved_request, answer_status,
          answer_headers, answer_text, duration_ms
        FROM sends WHERE id = ANY(${[...since.keys()]}::text[]) AND ${IS_UNSAVED} ORDER BY id FOR UPDATE
      ), done AS (
        UPDATE sends SET unsaved_request = NULL FROM unsaved WHERE sends.id = unsaved.id
      )
      SELECT id, user_id AS "userId", actor AS "actorId", unsaved_request AS "unsavedRequest",
        answer_status AS "answerStatus", answer_headers AS "answerHeaders", answer_text AS "answerText",
        duration_ms AS "durationMs"
      FROM unsaved`;
    if (taken.length === 0) return;
    const now = performance.now();
    await insertResponses(
      tx,
      taken.map((send) => ({ ...buildResponse(send), ageMs: now - (since.get(send.id) ?? now) })),
    );
    await flagIfCancelled(
      tx,
      taken.map(({ id }) => id),
    );
  });
}

function buildResponse(send: UnsavedSend) {
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
  return buildAutoResponse({ id, userId, actorId, sendId: id }, asked, answer);
}
