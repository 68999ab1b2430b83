import { closeAlarmsAbout } from "~/alarms/alarm-record.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome } from "~/platform/outcome";
import type { PrismaClient } from "../../../prisma/client/client";
import { isCancelledAtProvider } from "../cancel/cancel-call.server";
import { findCaseById } from "../cancel/cancel-transitions.server";
import { formatMailedByEvent } from "../messages";
import { alarmPiece } from "../piece-events.server";
import { acceptSend, RECEIVED } from "../send/send-transitions.server";
import { alarmIfReleased } from "../send/settle.server";
import { CANCELLED, findStatus } from "../status";
import { applyStatusWithin, setProviderId } from "./apply-event.server";

/** Events of the provider's webhook about pieces that are not stored yet. */

export interface ReportedEvent {
  providerId: string;
  status: string;
  reportedAt: Date | null;
}

/** A stored event, with the item that it belongs to by now. */
export interface PendingEvent extends ReportedEvent {
  /** The provider's id again, for the log. */
  id: string;
  /** The send id in its tag; empty without one. */
  sendId: string;
  /** Null when its send needs a decision, or was refused. */
  itemId: string | null;
  ageSeconds: number;
}

/** A send is open for up to 25 hours, unless it needs a decision. */
const PENDING_DAYS = 2;
const PROVIDER_ID = /^[\w.-]{1,64}$/;
/** Statuses that a piece may have without being mail. */
const NO_MAIL = ["test", "draft", "failed"];
/** The provider's status may lag behind its event, but not longer than this. */
const ALARM_AFTER_SECONDS = 600;
const CANCEL_IN_DOUBT =
  "The provider reported that this piece is cancelled, and does not confirm it. Nothing was refunded: look at its dashboard.";

/** True for a status that only a mailed piece has. */
export function isMailWord(status: string): boolean {
  return findStatus(status) !== null && !NO_MAIL.includes(status);
}

/**
 * Stores an event that carries the tag of one of our sends. False when that send can no longer become a mailed piece, or
 * when a mailed piece never has this status.
 */
export async function storeTaggedEvent(db: Db, sendId: string, event: ReportedEvent): Promise<boolean> {
  const { providerId, status, reportedAt } = event;
  if (!PROVIDER_ID.test(providerId) || !isMailWord(status)) return false;
  const stored = await db.$executeRaw`
    INSERT INTO pending_events (provider_id, send_id, status, said_at)
    SELECT ${providerId}, id, ${status}, ${reportedAt}::timestamptz FROM sends WHERE id = ${sendId} AND state <> 'refused'
    ON CONFLICT (provider_id, send_id, status) DO UPDATE SET received_at = now()`;
  return stored > 0;
}

/** Stores an event of an untagged piece, only that it is cancelled, because it refunds credits. */
export async function storeUntaggedEvent(db: Db, event: ReportedEvent): Promise<boolean> {
  const { providerId, status, reportedAt } = event;
  if (!PROVIDER_ID.test(providerId) || status !== CANCELLED) return false;
  await db.$executeRaw`
    INSERT INTO pending_events (provider_id, status, said_at) VALUES (${providerId}, ${status}, ${reportedAt}::timestamptz)
    ON CONFLICT (provider_id, send_id, status) DO NOTHING`;
  return true;
}

/**
 * Applies events of the provider's webhook that came before their pieces were stored. A send that needs a decision is
 * stored as mailed: the event is signed and carries the tag of this one send, so the piece exists. An event of a send that
 * was refused since opens an alarm. A send that is being called or recovered is left alone, because that call brings the
 * answer for its caller. Any number of processes may do this at once, and be killed.
 */
export const applyPendingEvents: BackgroundTask<PendingEvent> = {
  name: "apply_pending_events",
  batchSize: 100,
  // In order of arrival.
  atOnce: 1,
  claim: (limit) => withDatabase((db) => findDueEvents(db, limit)),
  work: (event) =>
    event.status === CANCELLED ? applyCancelled(event) : withDatabase((db) => applyOne(db, event)),
  // Last, so that events that waited while no console ran are applied first.
  cleanUp: () =>
    withDatabase(
      (db) => db.$executeRaw`
        DELETE FROM pending_events WHERE received_at < now() - ${PENDING_DAYS}::int * interval '1 day'`,
    ),
};

/**
 * Finds events whose piece is stored by now, or whose send needs a decision or was refused. Untagged events apply only to pieces
 * that were sent before: an id may stand for another piece in another account. (A mailed test is dated when it is
 * stored, a call's time later.)
 */
function findDueEvents(db: Db, limit: number) {
  return db.$queryRaw<PendingEvent[]>`
    WITH due AS (
      SELECT n.*, i.id AS item_id FROM pending_events n JOIN mail_items i ON i.id = n.send_id
        AND coalesce(i.provider_id, n.provider_id) = n.provider_id
      UNION ALL
      SELECT n.*, NULL FROM pending_events n JOIN sends s ON s.id = n.send_id
      WHERE s.state = 'needs_review' OR (s.state = 'refused' AND n.status <> ${CANCELLED})
      UNION ALL
      SELECT n.*, min(i.id) FROM pending_events n JOIN mail_items i ON i.provider_id = n.provider_id AND NOT i.test
        AND i.created_at < n.received_at + interval '1 minute'
      WHERE n.send_id = '' GROUP BY n.provider_id, n.send_id, n.status HAVING count(DISTINCT i.base_url) = 1
    )
    SELECT provider_id AS id, provider_id AS "providerId", send_id AS "sendId", status, said_at AS "reportedAt", item_id AS "itemId",
      extract(epoch FROM now() - received_at)::float8 AS "ageSeconds"
    FROM due ORDER BY status = ${CANCELLED}, received_at LIMIT ${limit}::int`;
}

/**
 * Applies a cancelled event once the provider confirms it, if it refunds credits. An event that the provider keeps
 * contradicting opens an alarm.
 */
async function applyCancelled(event: PendingEvent): Promise<Outcome<unknown>> {
  const { itemId, providerId, ageSeconds } = event;
  const found = await withDatabase(async (db) => (itemId === null ? null : findCaseById(db, itemId)));
  if (!found.ok) return found;
  const item = found.value;
  if (item === null || item.state === "cancelled" || item.charged === 0) {
    return withDatabase((db) => applyOne(db, event));
  }
  if (await isCancelledAtProvider({ ...item, providerId })) return withDatabase((db) => applyOne(db, event));
  // Left for the next round.
  if (ageSeconds < ALARM_AFTER_SECONDS) return fail("in_progress", CANCEL_IN_DOUBT);
  return withDatabase((db) =>
    db.$transaction(async (tx) => {
      const alarm = { kind: "event_in_doubt", text: CANCEL_IN_DOUBT, source: "webhook", once: true } as const;
      await alarmPiece(tx, item.id, { ...alarm, facts: { provider_id: providerId } });
      await deleteEvent(tx, event);
    }),
  );
}

async function applyOne(db: PrismaClient, event: PendingEvent): Promise<void> {
  const { providerId, sendId, itemId, status, reportedAt } = event;
  await db.$transaction(async (tx) => {
    // After a person's decision it is applied to the item in the next round, if there is one.
    if (itemId === null && !(await acceptByEvent(tx, event))) return;
    if (sendId !== "") await setProviderId(tx, sendId, providerId);
    await applyStatusWithin(tx, itemId ?? sendId, { status, source: "webhook", reportedAt });
    await deleteEvent(tx, event);
  });
}

async function acceptByEvent(tx: Db, event: PendingEvent): Promise<boolean> {
  const { providerId, sendId, status } = event;
  const note = formatMailedByEvent(status, providerId);
  const decision = { actorId: "system", note, status: RECEIVED };
  const account = await acceptSend(tx, sendId, providerId, null, decision);
  if (account) {
    log.info("send.settled_by_event", { sendId, outcome: status });
    const alarm = { kind: "piece_needs_decision", subject: { type: "piece", id: sendId } } as const;
    await closeAlarmsAbout(tx, alarm, "system", note);
  } else if (status !== CANCELLED) {
    const facts = { provider_id: providerId, status };
    if (await alarmIfReleased(tx, sendId, { text: note, source: "webhook", facts }))
      await deleteEvent(tx, event);
  }
  return account !== null;
}

async function deleteEvent(tx: Db, { providerId, sendId, status }: PendingEvent): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM pending_events WHERE provider_id = ${providerId} AND send_id = ${sendId} AND status = ${status}`;
}
