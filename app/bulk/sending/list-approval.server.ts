import { closeAlarmsAbout, openAlarm } from "~/alarms/alarm-record.server";
import { formatCredits } from "~/credits/format-credits";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { env } from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { type BulkList, withLockedList } from "../list-record.server";

const APPROVAL_WITHDRAWN = "The request for approval was withdrawn. Nothing was sent.";

const NOT_WAITING = "This list needs no approval now. Nothing was changed.";

const MAX_REASON_CHARS = 500;

/** Hashes what a start would send: the template, the use of the columns, and the number, attempt and cells of each ready row. */
async function hashList(tx: Db, id: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ hash: string }[]>`
    SELECT encode(sha256(convert_to(concat_ws(chr(10), l.design, l.columns, l.mapping, l.country, (
      SELECT string_agg(number || ':' || attempt || ':' || encode(sha256(convert_to(cells, 'UTF8')), 'hex'), ',' ORDER BY number)
      FROM bulk_rows WHERE list_id = l.id AND state = 'ready')), 'UTF8')), 'hex') AS hash
    FROM bulk_lists l WHERE l.id = ${id}`;
  return row?.hash ?? "";
}

/**
 * True when another person has to approve a start of this cost. The list's earlier starts and the person's starts of the last 24 hours
 * count too, unless they were approved, so that mail in several parts needs the same approval.
 */
export async function needsApproval(db: Db, id: string, cost: number, viewerId: string): Promise<boolean> {
  const { approval } = env();
  if (approval === null) return false;
  const [earlier] = await db.$queryRaw<{ credits: number }[]>`
    SELECT coalesce(sum(r.remaining + (SELECT coalesce(sum(s.cost), 0) FROM sends s
      WHERE s.credit_reservation_id = r.id AND s.state NOT IN ('refused', 'cancelled'))), 0)::int AS credits
    FROM credit_reservations r WHERE r.approved_by IS NULL AND (
      (r.actor_id = ${viewerId} AND r.created_at > clock_timestamp() - interval '24 hours')
      OR r.id IN (SELECT s.credit_reservation_id FROM bulk_rows b JOIN sends s ON s.id = b.send_id WHERE b.list_id = ${id}))`;
  return cost + (earlier?.credits ?? 0) > approval.lists;
}

/** Makes a locked list wait for approval, stores exactly what would be sent, and opens an alarm. Reserves nothing. */
export async function askForApproval(
  tx: Db,
  list: BulkList,
  { rows, cost, viewer }: { rows: number; cost: number; viewer: Viewer },
): Promise<void> {
  const hash = await hashList(tx, list.id);
  await tx.$executeRaw`
    UPDATE bulk_lists SET state = 'awaiting_approval', approval_from = state, approval_asked_by = ${viewer.id},
      approval_asked_at = clock_timestamp(), approval_rows = ${rows}::int, approval_hash = ${hash}, note = NULL,
      starter_email = ${viewer.emailVerified ? viewer.email : ""}::text
    WHERE id = ${list.id}`;
  await openAlarm(tx, {
    kind: "approval_needed",
    subject: { type: "list", id: list.id },
    // Logged, so without a name.
    text: `A list of ${formatCount(rows, "row")} for ${formatCredits(cost)} needs another person's approval.`,
  });
}

/** True when a start would send exactly what approval was requested for. */
export async function matchesRequest(tx: Db, { id, approval }: BulkList): Promise<boolean> {
  return approval !== null && approval.hash === (await hashList(tx, id));
}

/** True for everyone but the requester, the list's maker, and people who imported or changed a row that would be sent. */
export async function mayDecide(db: Db, list: BulkList, viewerId: string): Promise<boolean> {
  const { id, actorId, approval } = list;
  if (approval === null || viewerId === approval.askedBy || viewerId === actorId) return false;
  const changed = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM bulk_rows WHERE list_id = ${id} AND state = 'ready' AND changed_by = ${viewerId} LIMIT 1`;
  return changed.length === 0;
}

/** Returns a list that waits for approval to its earlier state, with a note, and closes its alarm. */
export async function returnToOpen(tx: Db, id: string, by: string, note: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_lists SET state = approval_from, note = ${note} WHERE id = ${id} AND state = 'awaiting_approval'`;
  await closeListAlarm(tx, "approval_needed", id, by, note);
}

type ListAlarm = "approval_needed" | "list_paused";

export function closeListAlarm(tx: Db, kind: ListAlarm, id: string, by: string, reason: string) {
  return closeAlarmsAbout(tx, { kind, subject: { type: "list", id } }, by, reason);
}

/** Refuses a request for approval, or withdraws it when the viewer may not decide. */
export function refuseList(id: string, reason: string, viewer: Viewer): Promise<Outcome<string>> {
  return withLockedList(id, async (tx, list) => {
    if (list.state !== "awaiting_approval") return fail("bad_input", NOT_WAITING);
    await ensureViewerStored(tx, viewer);
    if (!(await mayDecide(tx, list, viewer.id))) {
      await returnToOpen(tx, id, viewer.id, APPROVAL_WITHDRAWN);
      return APPROVAL_WITHDRAWN;
    }
    if (reason === "" || reason.length > MAX_REASON_CHARS) {
      return fail(
        "bad_input",
        `Enter a reason of up to ${MAX_REASON_CHARS} characters. The list still needs a decision.`,
      );
    }
    await returnToOpen(tx, id, viewer.id, `Not approved by ${viewer.displayName}: ${reason}`);
    return "Refused. Nothing was sent.";
  });
}

/** Fails for a list that waits for no approval, and for a person who may not approve it. */
export async function checkDecider(tx: Db, list: BulkList, viewerId: string): Promise<Outcome<null>> {
  if (list.state !== "awaiting_approval") return fail("bad_input", NOT_WAITING);
  return (await mayDecide(tx, list, viewerId))
    ? succeed(null)
    : fail(
        "forbidden",
        "You requested approval, or you made this list or changed its rows. Nothing was sent; another person has to approve it.",
      );
}
