import type { Db } from "~/platform/database/client";
import { Prisma } from "../../prisma/client/client";

/** The part of a statement that flags the stored response of each piece in its part `sends` as cancelled. */
export function flagResponses(sends: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE responses r SET is_cancelled = true, cancelled_at = s.cancelled_at, cancellation_reason = s.cancel_reason
    FROM ${Prisma.raw(sends)} s WHERE r.send_id = s.id`;
}

/**
 * The same for responses that were just inserted, because their pieces may be cancelled already. Waits for a cancel of
 * a piece that is running at this moment.
 */
export async function flagIfCancelled(db: Db, sendIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    WITH sent AS (
      SELECT id, state, cancelled_at, cancel_reason FROM sends WHERE id = ANY(${[...sendIds]}::text[])
      ORDER BY id FOR UPDATE
    ),
    gone AS (SELECT * FROM sent WHERE state = 'cancelled')
    ${flagResponses("gone")}`;
}

/** Flags a copy of the stored response of a cancelled piece. */
export async function flagCopy(db: Db, id: string, reason: string): Promise<void> {
  await db.$executeRaw`
    UPDATE responses SET is_cancelled = true, cancelled_at = now(), cancellation_reason = ${reason}
    WHERE id = ${id} AND NOT is_cancelled`;
}
