import type { Db } from "~/platform/database/client";
import type { PrismaClient } from "../../../prisma/client/client";
import { confirmCancel, type EventSource } from "../cancel/cancel-transitions.server";
import { alarmIfReleased } from "../send/settle.server";
import { CANCELLED, findStatus, formatStatus, isProduced } from "../status";

export interface StatusReport {
  /** From `parseStatus`. */
  status: string;
  source: EventSource;
  /** Time according to the provider. */
  reportedAt: Date | null;
}

const BY_PROVIDER = "Cancelled by the provider";

/**
 * Stores a reported status, once per source. The item only moves forward, so that repeated and shuffled events do no
 * harm. A piece that the provider cancelled is refunded, once; a refunded piece that is produced opens an alarm.
 */
export function applyStatus(db: PrismaClient, itemId: string, report: StatusReport) {
  return report.status === CANCELLED
    ? db.$transaction((tx) => applyStatusWithin(tx, itemId, report))
    : applyStatusWithin(db, itemId, report);
}

export async function applyStatusWithin(
  tx: Db,
  itemId: string,
  { status, source, reportedAt }: StatusReport,
) {
  const refunded =
    status === CANCELLED
      ? await confirmCancel(tx, itemId, { actorId: "system", reason: BY_PROVIDER, source, reportedAt })
      : null;
  const rank = findStatus(status)?.rank ?? null;
  const moved = await tx.$executeRaw`
    WITH event AS (
      INSERT INTO mail_events (item_id, status, source, said_at)
      SELECT id, ${status}, ${source}, ${reportedAt}::timestamptz FROM mail_items WHERE id = ${itemId} AND NOT test
      ON CONFLICT DO NOTHING
    )
    UPDATE mail_items SET status = ${status}, status_rank = ${rank}::int,
      status_at = coalesce(${reportedAt}::timestamptz, now())
    WHERE id = ${itemId} AND NOT test AND NOT is_cancelled AND status_rank < ${rank}::int
      AND ${status} <> ${CANCELLED}`;
  if (moved === 0 && isProduced(status)) {
    const text = `The provider says that this piece is ${formatStatus(status)}, but it was cancelled and its credits were refunded. Check it in the provider's dashboard, then decide about the credits.`;
    await alarmIfReleased(tx, itemId, { state: "cancelled", text, source, facts: { status } });
  }
  return { moved: moved > 0 || refunded !== null, refunded };
}

/**
 * Sets the provider's id of a piece that was stored without one and found by its tag. A piece keeps an id that it
 * has, and no two pieces of an account get the same.
 */
export async function setProviderId(db: Db, sendId: string, providerId: string): Promise<void> {
  await db.$executeRaw`
    WITH item AS (
      UPDATE mail_items i SET provider_id = ${providerId}
      WHERE id = ${sendId} AND send_id = ${sendId} AND provider_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM mail_items o WHERE o.provider_id = ${providerId} AND o.base_url = i.base_url AND NOT o.test)
      RETURNING send_id
    )
    UPDATE sends s SET provider_id = ${providerId} FROM item WHERE s.id = item.send_id`;
}
