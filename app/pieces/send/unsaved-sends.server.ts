import type { Db } from "~/platform/database/client";
import { Prisma, type Send } from "../../../prisma/client/client";

type Answer = Pick<Send, "answerStatus" | "answerHeaders" | "answerText" | "durationMs">;

/** A settled send whose response is not stored yet. Its actor has the name of the token: "ana via CI". */
export type UnsavedSend = Pick<Send, "id" | "userId" | "actorId"> & Answer & { unsavedRequest: string };

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
