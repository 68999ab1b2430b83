import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { Prisma } from "../../../prisma/client/client";

/**
 * Loads the request as it was sent, on its own because it may be large. After a day its files are replaced by their
 * sizes.
 */
export async function loadRequestBody(db: Db, id: string): Promise<string> {
  const rows = await db.$queryRaw<
    { body: string }[]
  >`SELECT request_body AS body FROM sends WHERE id = ${id}`;
  return rows[0]?.body ?? "";
}

/** True when nothing of a request is left: the personal data of its piece was erased or has expired. */
export function isErasedRequest(body: string): boolean {
  return body === "" || body === "{}";
}

/** At this age no send is repeated, so the bytes of its request are not needed. */
const NEEDED_HOURS = 25;

/**
 * Replaces the files in requests by their sizes: a day after they were sent, or once a list's piece is settled,
 * because all pieces of a list have the same files.
 */
export const reduceRequests: BackgroundTask<{ id: string; body: string }> = {
  name: "reduce_requests",
  batchSize: 20,
  atOnce: 1,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<{ id: string; body: string }[]>`
        SELECT id, request_body AS body FROM sends
        WHERE reduced_at IS NULL AND (created_at < now() - ${NEEDED_HOURS}::int * interval '1 hour'
          OR (credit_reservation_id IS NOT NULL AND settled_at IS NOT NULL))
        ORDER BY created_at LIMIT ${limit}::int`,
    ),
  work: ({ id, body }) =>
    withDatabase(
      (db) => db.$executeRaw`
        UPDATE sends SET request_body = ${reduceFiles(body)}, reduced_at = now() WHERE id = ${id} AND reduced_at IS NULL`,
    ),
};

/** Replaces each base64 file in a request by its size. */
export function reduceFiles(body: string): string {
  return body.replace(
    /[A-Za-z0-9+/=%]{1000,}/g,
    (file) => `[${file.length.toLocaleString("en")} characters of a file]`,
  );
}

/** A settled send whose response is not stored yet, with its call. */
export interface UnsavedSend {
  id: string;
  userId: string;
  /** The sender, with the token: "ana via CI". */
  actorId: string;
  /** JSON text of the request, in the shape that its sender chose. */
  unsavedRequest: string;
  answerStatus: number | null;
  answerHeaders: string | null;
  answerText: string | null;
  durationMs: number | null;
}

/** A send that was never begun has no response. */
const IS_UNSAVED = Prisma.sql`unsaved_request IS NOT NULL AND attempts > 0 AND settled_at IS NOT NULL`;

/** Finds up to `limit` settled sends whose responses are not stored yet, oldest first. */
export function findUnsavedSends(db: Db, limit: number): Promise<{ id: string }[]> {
  return db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sends WHERE ${IS_UNSAVED} ORDER BY settled_at LIMIT ${limit}::int`;
}

/**
 * Claims the unsaved requests of these sends, in a transaction that stores their responses. A second process waits for
 * the first, then finds none; if the transaction fails, the requests remain.
 */
export function claimUnsavedSends(tx: Db, ids: readonly string[]): Promise<UnsavedSend[]> {
  return tx.$queryRaw<UnsavedSend[]>`
    WITH unsaved AS (
      SELECT id, user_id, actor_id || coalesce(' via ' || via, '') AS actor, unsaved_request, answer_status,
        answer_headers, answer_text, duration_ms
      FROM sends WHERE id = ANY(${[...ids]}::text[]) AND ${IS_UNSAVED} ORDER BY id FOR UPDATE
    ), done AS (
      UPDATE sends SET unsaved_request = NULL FROM unsaved WHERE sends.id = unsaved.id
    )
    SELECT id, user_id AS "userId", actor AS "actorId", unsaved_request AS "unsavedRequest",
      answer_status AS "answerStatus", answer_headers AS "answerHeaders", answer_text AS "answerText",
      duration_ms AS "durationMs"
    FROM unsaved`;
}
