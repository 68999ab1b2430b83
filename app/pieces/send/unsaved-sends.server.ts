import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";

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
