import { formatCredits } from "~/credits/format-credits";
import { closeReservation } from "~/credits/ledger/ledger.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { log } from "~/platform/log.server";
import { type Failed, fail, type Outcome } from "~/platform/outcome";
import { Prisma } from "../../../prisma/client/client";
import { MOST_DAYS_AHEAD, MOST_WITHOUT_UNDO, UNDO_SECONDS } from "../bulk-list";
import { type BulkList, withLockedList } from "../list-record.server";
import { failNotPossible, formatStartTime, NO_START_TIME } from "../messages";

const TOO_LATE_TO_UNDO = "The list has begun. Stop it to release what is not sent yet.";

/** True for a time in the future within the limit. */
export async function isStartTime(db: Db, at: Date): Promise<boolean> {
  const [checked] = await db.$queryRaw<{ isFine: boolean }[]>`
    SELECT ${at}::timestamptz > clock_timestamp()
      AND ${at}::timestamptz < clock_timestamp() + ${MOST_DAYS_AHEAD}::int * interval '1 day' AS "isFine"`;
  return checked?.isFine === true;
}

/**
 * Chooses when the first of `rows` is sent, by the database's clock: at `later` if it is in the future, after the undo time for a large
 * start, else at once (null). Processes of older versions wait for `next_at` too.
 */
export async function chooseStart(db: Db, later: Date | null, rows: number): Promise<Date | null> {
  const [due] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT CASE WHEN ${later}::timestamptz > clock_timestamp() THEN ${later}::timestamptz
      WHEN ${rows}::int > ${MOST_WITHOUT_UNDO}::int THEN clock_timestamp() + ${UNDO_SECONDS}::int * interval '1 second' END AS at`;
  return due?.at ?? null;
}

/** SQL condition: the start can still be undone, and no row is sent before its time. */
export const IS_WAITING = Prisma.sql`state = 'running' AND starts_at > clock_timestamp()`;

/** Undoes a start that still waits, and releases its credits. Fails with `bad_input` once it has begun. */
export function undoStart(id: string, viewer: Viewer): Promise<Outcome<string>> {
  return withLockedList(id, async (tx, list) => {
    const updated = await tx.$executeRaw`
        UPDATE bulk_lists SET state = coalesce(approval_from, 'stopped'), started_at = nullif(started_at, starts_at),
          starts_at = NULL, next_at = NULL, approved_by = NULL
        WHERE id = ${id} AND ${IS_WAITING}`;
    if (updated === 0 || !list.reservationId) return failNotWaiting(list);
    const released = (await closeReservation(tx, list.reservationId, viewer.id)) ?? 0;
    return `The start was undone. Nothing was sent. ${formatCredits(released)} released.`;
  });
}

/** Reschedules a start that is still waiting. The credits stay reserved. */
export function moveStart(id: string, at: Date, viewer: Viewer): Promise<Outcome<string>> {
  return withLockedList(id, async (tx, list) => {
    if (!(await isStartTime(tx, at))) return fail("bad_input", NO_START_TIME);
    const moved = await tx.$executeRaw`
      UPDATE bulk_lists SET starts_at = ${at}::timestamptz, next_at = ${at}::timestamptz,
        started_at = CASE WHEN started_at = starts_at THEN ${at}::timestamptz ELSE started_at END
      WHERE id = ${id} AND ${IS_WAITING}`;
    if (moved === 0) return failNotWaiting(list);
    log.info("bulk.moved", { rowId: id, userId: viewer.id });
    return `${formatStartTime(at)}.`;
  });
}

function failNotWaiting({ state }: BulkList): Failed {
  return state === "running" ? fail("bad_input", TOO_LATE_TO_UNDO) : failNotPossible(state);
}
