import type { Db } from "~/platform/database/client";
import { CANCELLED, findStatus } from "../status";

/** Events of the provider's webhook about pieces that are not stored yet. */

/** An event, with the item that it belongs to by now. */
export interface PendingEvent {
  /** The provider's id again, for the log. */
  id: string;
  /** The provider's id of the piece. */
  providerId: string;
  /** The send id in its tag; empty without one. */
  sendId: string;
  status: string;
  saidAt: Date | null;
  /** Null when its send needs a decision. */
  itemId: string | null;
  /** Time since it arrived. */
  ageSeconds: number;
}

/** A send is open for up to 25 hours, unless it needs a decision. */
const KEPT_DAYS = 2;
/** Ids of accepted pieces. */
const ID = /^[\w.-]{1,64}$/;
/** Statuses that a piece may have without being mail. */
const NO_MAIL = ["test", "draft", "failed"];

/** True when only a mailed piece has this status. */
export function isMailWord(status: string): boolean {
  return findStatus(status) !== null && !NO_MAIL.includes(status);
}

/**
 * Stores an event that carries the tag of one of our sends. False when that send can no longer become a mailed piece, or
 * when a mailed piece never has this status.
 */
export async function storeTaggedEvent(
  db: Db,
  sendId: string,
  { providerId, status, saidAt }: Pick<PendingEvent, "providerId" | "status" | "saidAt">,
): Promise<boolean> {
  if (!ID.test(providerId) || !isMailWord(status)) return false;
  const rows = await db.$queryRaw<unknown[]>`
    INSERT INTO pending_events (provider_id, send_id, status, said_at)
    SELECT ${providerId}, id, ${status}, ${saidAt}::timestamptz FROM sends WHERE id = ${sendId} AND state <> 'refused'
    ON CONFLICT (provider_id, send_id, status) DO UPDATE SET received_at = now() RETURNING 1`;
  return rows.length > 0;
}

/** Stores an event of an untagged piece, only that it is cancelled, because it refunds credits. */
export async function storeUntaggedEvent(
  db: Db,
  { providerId, status, saidAt }: Pick<PendingEvent, "providerId" | "status" | "saidAt">,
): Promise<boolean> {
  if (!ID.test(providerId) || status !== CANCELLED) return false;
  await db.$executeRaw`
    INSERT INTO pending_events (provider_id, status, said_at) VALUES (${providerId}, ${status}, ${saidAt}::timestamptz)
    ON CONFLICT (provider_id, send_id, status) DO NOTHING`;
  return true;
}

/**
 * Finds events whose piece is stored by now, or whose send needs a decision. Untagged events apply only to pieces
 * that were sent before: an id may stand for another piece in another account. (A mailed test is dated when it is
 * stored, a call's time later.)
 */
export function findDueEvents(db: Db, limit: number): Promise<PendingEvent[]> {
  return db.$queryRaw<PendingEvent[]>`
    WITH due AS (
      SELECT n.*, i.id AS item_id FROM pending_events n JOIN mail_items i ON i.id = n.send_id
        AND coalesce(i.provider_id, n.provider_id) = n.provider_id
      UNION ALL
      SELECT n.*, NULL FROM pending_events n JOIN sends s ON s.id = n.send_id WHERE s.state = 'needs_review'
      UNION ALL
      SELECT n.*, min(i.id) FROM pending_events n JOIN mail_items i ON i.provider_id = n.provider_id AND NOT i.test
        AND i.created_at < n.received_at + interval '1 minute'
      WHERE n.send_id = '' GROUP BY n.provider_id, n.send_id, n.status HAVING count(DISTINCT i.base_url) = 1
    )
    SELECT provider_id AS id, provider_id AS "providerId", send_id AS "sendId", status, said_at AS "saidAt", item_id AS "itemId",
      extract(epoch FROM now() - received_at)::float8 AS "ageSeconds"
    FROM due ORDER BY status = ${CANCELLED}, received_at LIMIT ${limit}::int`;
}

/** Deletes an applied event. */
export async function deletePendingEvent(
  db: Db,
  { providerId, sendId, status }: Pick<PendingEvent, "providerId" | "sendId" | "status">,
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM pending_events WHERE provider_id = ${providerId} AND send_id = ${sendId} AND status = ${status}`;
}

/** Deletes events that found no piece of ours within `KEPT_DAYS`. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await db.$executeRaw`DELETE FROM pending_events WHERE received_at < now() - ${KEPT_DAYS}::int * interval '1 day'`;
}
