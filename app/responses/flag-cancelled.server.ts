import type { Db } from "~/platform/database/client";
import { Prisma } from "../../prisma/client/client";

/** The part of a statement that marks the stored response of each send of `sends` as cancelled (spec §4). */
export function flagResponses(sends: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE responses r SET is_cancelled = true, cancelled_at = s.cancelled_at, cancellation_reason = s.cancel_reason
    FROM ${Prisma.raw(sends)} s WHERE r.send_id = s.id`;
}

/**
 * The same for a response that was stored only now, when its send may be cancelled already. After its insert; whoever
 * is cancelling the send at this moment is waited for.
 */
export async function flagIfCancelled(db: Db, sendId: string): Promise<void> {
  await db.$executeRaw`
    WITH sent AS (SELECT id, state, cancelled_at, cancel_reason FROM sends WHERE id = ${sendId} FOR UPDATE),
    gone AS (SELECT * FROM sent WHERE state = 'cancelled')
    ${flagResponses("gone")}`;
}

/** Marks one stored response that tells of a cancelled piece and is not its send's own: a copy. */
export async function flagCopy(db: Db, id: string, reason: string): Promise<void> {
  await db.$executeRaw`
    UPDATE responses SET is_cancelled = true, cancelled_at = now(), cancellation_reason = ${reason}
    WHERE id = ${id} AND NOT is_cancelled`;
}
