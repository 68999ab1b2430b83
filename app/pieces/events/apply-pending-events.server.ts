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
import { CANCELLED } from "../status";
import { applyStatusWithin, setProviderId } from "./apply-event.server";
import {
  deleteOldEvents,
  deletePendingEvent,
  findDueEvents,
  type PendingEvent,
} from "./pending-events.server";

const BATCH_SIZE = 100;
const CANCEL_IN_DOUBT =
  "The provider reported that this piece is cancelled, and does not confirm it. Nothing was refunded: look at its dashboard.";
/** The provider's status may lag behind its event, but not longer than this. */
const ALARM_AFTER_SECONDS = 600;

/**
 * Applies events of the provider's webhook that came before their pieces were stored. A send that needs a decision is
 * stored as mailed: the event is signed and carries the tag of this one send, so the piece exists. A send that is
 * being called or recovered is left alone, because that call brings the answer for its caller. Any number of
 * processes may do this at once, and be killed.
 */
export const applyPendingEvents: BackgroundTask<PendingEvent> = {
  name: "apply_pending_events",
  batchSize: BATCH_SIZE,
  // In order of arrival.
  atOnce: 1,
  claim: (limit) => withDatabase((db) => findDueEvents(db, limit)),
  work: (event) =>
    event.status === CANCELLED ? applyCancelled(event) : withDatabase((db) => applyOne(db, event)),
  // Last, so that events that waited while no console ran are applied first.
  cleanUp: () => withDatabase(deleteOldEvents),
};

/**
 * Applies a cancelled event once the provider confirms it, if it refunds credits. An event that the provider keeps
 * contradicting opens an alarm.
 */
async function applyCancelled(event: PendingEvent): Promise<Outcome<unknown>> {
  const { itemId, providerId, ageSeconds } = event;
  const found = await withDatabase((db) =>
    itemId === null ? Promise.resolve(null) : findCaseById(db, itemId),
  );
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
      const facts = { provider_id: providerId };
      await alarmPiece(tx, item.id, {
        kind: "event_in_doubt",
        text: CANCEL_IN_DOUBT,
        facts,
        source: "webhook",
        once: true,
      });
      await deletePendingEvent(tx, event);
    }),
  );
}

async function applyOne(db: PrismaClient, event: PendingEvent): Promise<void> {
  const { providerId, sendId, itemId, status, saidAt } = event;
  await db.$transaction(async (tx) => {
    // After a person's decision it is applied to the item in the next round, if there is one.
    if (itemId === null && !(await acceptByEvent(tx, event))) return;
    if (sendId !== "") await setProviderId(tx, sendId, providerId);
    await applyStatusWithin(tx, itemId ?? sendId, { status, source: "webhook", saidAt });
    await deletePendingEvent(tx, event);
  });
}

async function acceptByEvent(tx: Db, { providerId, sendId, status }: PendingEvent): Promise<boolean> {
  const note = formatMailedByEvent(status, providerId);
  const account = await acceptSend(tx, sendId, providerId, null, {
    actorId: "system",
    note,
    status: RECEIVED,
  });
  if (account) {
    log.info("send.settled_by_event", { sendId, outcome: status });
    const alarm = { kind: "piece_needs_decision", subject: { type: "piece", id: sendId } } as const;
    await closeAlarmsAbout(tx, alarm, "system", note);
  } else if (status !== CANCELLED) await alarmIfReleased(tx, sendId);
  return account !== null;
}
