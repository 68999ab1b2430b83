import { closeAlarmsAbout, openAlarm } from "~/alarms/alarm-record.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { BulkList } from "../bulk-list";
import { findList } from "../list-record.server";
import { NO_LIST } from "../messages";
import {
  APPROVAL_REFUSED,
  APPROVAL_WITHDRAWN,
  formatApprovalAsked,
  formatRefusal,
  NOT_WAITING,
  OWN_REQUEST,
  REFUSAL_REASON_MISSING,
} from "./messages";

const MAX_REASON_CHARS = 500;

/** What is sent if the list is started now, in one text: the number, the attempt and the cells of each ready row. */
async function hashRows(tx: Db, id: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ hash: string }[]>`
    SELECT md5(coalesce(string_agg(number || ':' || attempt || ':' || md5(cells), ',' ORDER BY number), '')) AS hash
    FROM bulk_rows WHERE list_id = ${id} AND state = 'ready'`;
  return row?.hash ?? "";
}

/**
 * Makes a list wait for another person's decision, with what exactly is asked for, and opens an alarm. Nothing is reserved. Part
 * of a transaction that has the list locked.
 */
export async function askForApproval(
  tx: Db,
  list: BulkList,
  asked: { rows: number; cost: number; viewer: Viewer },
): Promise<void> {
  const { rows, cost, viewer } = asked;
  await ensureViewerStored(tx, viewer);
  const hash = await hashRows(tx, list.id);
  await tx.$executeRaw`
    UPDATE bulk_lists SET state = 'awaiting_approval', approval_from = state, approval_asked_by = ${viewer.id},
      approval_asked_at = clock_timestamp(), approval_rows = ${rows}::int, approval_hash = ${hash}, note = NULL
    WHERE id = ${list.id}`;
  await openAlarm(tx, {
    kind: "approval_needed",
    subject: { type: "list", id: list.id },
    text: formatApprovalAsked(rows, cost),
  });
}

/** Whether the ready rows are those that were asked about, to the letter. */
export async function isAsAsked(tx: Db, { id, approval }: BulkList): Promise<boolean> {
  return approval !== null && approval.hash === (await hashRows(tx, id));
}

/** Whether somebody may decide: neither who asked nor in whose name it is sent. */
export function mayDecide({ actorId, approval }: BulkList, viewerId: string): boolean {
  return approval !== null && viewerId !== approval.askedBy && viewerId !== actorId;
}

/** Ends the wait without a start: the list is as it was. Part of a transaction that has the list locked. */
export async function returnToOpen(
  tx: Db,
  id: string,
  { by, note }: { by: string; note: string },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_lists SET state = approval_from, note = ${note} WHERE id = ${id} AND state = 'awaiting_approval'`;
  await closeApprovalAlarm(tx, id, by, note);
}

/** Closes the alarm that {@link askForApproval} opened. */
export function closeApprovalAlarm(tx: Db, id: string, by: string, reason: string): Promise<void> {
  return closeAlarmsAbout(tx, { kind: "approval_needed", subject: { type: "list", id } }, by, reason);
}

/**
 * Refuses what was asked for, or takes it back where it is one's own. Nothing was reserved and nothing is sent. Fails with
 * `not_found`, `bad_input` (not waiting, or refused without a reason), or as the database does.
 */
export async function refuseList(id: string, reason: string, viewer: Viewer): Promise<Outcome<string>> {
  const done = await withDatabase((db) =>
    db.$transaction(async (tx): Promise<Outcome<string>> => {
      await tx.$queryRaw`SELECT 1 FROM bulk_lists WHERE id = ${id} FOR UPDATE`;
      const list = await findList(tx, id);
      if (!list) return fail("not_found", NO_LIST);
      if (list.state !== "awaiting_approval") return fail("bad_input", NOT_WAITING);
      await ensureViewerStored(tx, viewer);
      if (!mayDecide(list, viewer.id)) {
        await returnToOpen(tx, id, { by: viewer.id, note: APPROVAL_WITHDRAWN });
        return succeed(APPROVAL_WITHDRAWN);
      }
      if (reason === "" || reason.length > MAX_REASON_CHARS) return fail("bad_input", REFUSAL_REASON_MISSING);
      await returnToOpen(tx, id, { by: viewer.id, note: formatRefusal(viewer.displayName, reason) });
      return succeed(APPROVAL_REFUSED);
    }),
  );
  return done.ok ? done.value : done;
}

/** Fails with `forbidden` where somebody wants to approve what they asked for themselves. */
export function checkDecider(list: BulkList, viewerId: string): Outcome<null> {
  if (list.state !== "awaiting_approval") return fail("bad_input", NOT_WAITING);
  return mayDecide(list, viewerId) ? succeed(null) : fail("forbidden", OWN_REQUEST);
}
