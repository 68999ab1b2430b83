import { randomUUID } from "node:crypto";
import { openAlarm } from "~/alarms/alarm-record.server";
import { MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import {
  type Account,
  closeReservation,
  ensureAccount,
  loadAccount,
  openReservation,
} from "~/credits/ledger/ledger.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import { checkActsFor, type Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { log } from "~/platform/log.server";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";
import { ACTIVE_STATES, OPEN_STATES, TEST_DAYS } from "../bulk-list";
import { type BulkList, lockList, withLockedList } from "../list-record.server";
import { failNotPossible, formatStartTime, formatStopped, NO_START_TIME, ROWS_END_FIRST } from "../messages";
import { markDuplicates } from "../rows/mark-duplicates.server";
import { selectReadyRows } from "./claim-rows.server";
import {
  askForApproval,
  checkDecider,
  closeListAlarm,
  matchesRequest,
  needsApproval,
  returnToOpen,
} from "./list-approval.server";
import { leaveOutMailed } from "./restored-lists.server";
import { chooseStart, IS_WAITING, isStartTime } from "./start-times.server";

const APPROVAL_STALE =
  "The list changed after approval was requested. Nothing was sent. Check its rows and request approval again.";

const APPROVAL_REQUESTED =
  "Approval requested. Another person has to approve this list; nothing is reserved or sent yet.";

const NOT_TESTED = `Send a test of at least one row first: none is newer than ${TEST_DAYS} days. Nothing was sent live.`;

/** Starts a list that waits for approval. A list that changed since the request returns to the requester. */
export function approveList(id: string, quoted: number, viewer: Viewer): Promise<Outcome<string>> {
  return startList(id, quoted, viewer, null, true);
}

/**
 * Starts a tested list, now or at the `chosen` time: reserves the credits of all its ready rows, or nothing. Marks rows that have
 * become duplicates first. If another person has to approve the start, requests approval instead and reserves nothing.
 * @param quoted number of rows that the page showed
 */
export async function startList(
  id: string,
  quoted: number,
  viewer: Viewer,
  chosen: Date | null = null,
  approves = false,
): Promise<Outcome<string>> {
  const compared = await leaveOutMailed(id, viewer.id);
  if (!compared.ok) return compared;
  let isStarted = false;
  const done = await withLockedList(id, async (tx, list) => {
    const allowed = approves ? await checkDecider(tx, list, viewer.id) : checkActsFor(viewer, list.userId);
    if (!allowed.ok) return allowed;
    if (!approves && list.state === "awaiting_approval") return APPROVAL_REQUESTED;
    if (!approves && !OPEN_STATES.includes(list.state)) return "The list is running already.";
    const idle = await checkIdle(tx, list);
    if (!idle.ok) return idle;
    if (!list.tested) {
      if (approves) await returnToOpen(tx, id, viewer.id, NOT_TESTED);
      return fail("bad_input", NOT_TESTED);
    }
    await ensureViewerStored(tx, viewer);
    const rows = await countReadyRows(tx, id, viewer);
    if (approves && (rows !== quoted || !(await matchesRequest(tx, list)))) {
      await returnToOpen(tx, id, viewer.id, APPROVAL_STALE);
      return fail("bad_input", APPROVAL_STALE);
    }
    if (rows === 0) return fail("bad_input", "No row is ready to be sent. Nothing was reserved.");
    if (rows !== quoted) {
      return fail(
        "bad_input",
        `The list has changed: ${formatCount(rows, "row")} can be sent now. Nothing was reserved; check the quote again.`,
      );
    }
    if (chosen !== null && !(await isStartTime(tx, chosen))) return fail("bad_input", NO_START_TIME);
    const cost = rows * MAIL_PRICES[list.mailType];
    await ensureAccount(tx, list.userId);
    if (!approves && (await needsApproval(tx, id, cost, viewer.id))) {
      const account = await loadAccount(tx, list.userId);
      if (account.balance - account.held < cost) return failShort(account, cost);
      await askForApproval(tx, list, { rows, cost, viewer });
      await tx.$executeRaw`UPDATE bulk_lists SET starts_at = ${chosen}::timestamptz WHERE id = ${id}`;
      return APPROVAL_REQUESTED;
    }
    const reserved = await reserveCredits(tx, list, { cost, viewer, approves });
    if (!reserved.ok) return reserved;
    // A list that waited for approval keeps the requester's time.
    const startsAt = await chooseStart(tx, approves ? list.startsAt : chosen, rows);
    await storeStart(tx, list, { reservationId: reserved.value, startsAt, viewer, approves });
    isStarted = true;
    const start = startsAt === null ? "Started" : formatStartTime(startsAt);
    return `${start}. ${formatCredits(cost)} reserved for ${formatCount(rows, "row")}.`;
  });
  if (done.ok && isStarted) log.info("bulk.started", { rowId: id, userId: viewer.id });
  return done;
}

/** Refuses a start while pieces of an earlier start are being cancelled or sent. */
async function checkIdle(tx: Db, list: BulkList): Promise<Outcome<null>> {
  // The cancel would also take the new pieces.
  if (list.cancelActorId !== null) {
    return fail(
      "in_progress",
      "The pieces of this list are still being cancelled. Nothing was reserved or sent; start again when that has ended.",
    );
  }
  // Their pieces have the earlier starter's keys.
  const underWay = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM bulk_rows WHERE list_id = ${list.id} AND state = 'sending' LIMIT 1`;
  return underWay.length > 0 ? fail("in_progress", ROWS_END_FIRST) : succeed(null);
}

/** Counts the rows that can be sent, after marking those that have become duplicates. */
async function countReadyRows(tx: Db, id: string, viewer: Viewer): Promise<number> {
  // Two lists that one person starts at once count for each other.
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`starting ${viewer.id}`}, 0))::text`;
  await markDuplicates(tx, id);
  const [counted] = await tx.$queryRaw<{ rows: number }[]>`
    SELECT count(*)::int AS rows FROM bulk_rows WHERE list_id = ${id} AND state = 'ready'`;
  return counted?.rows ?? 0;
}

/** Reserves the credits of a start, and returns the reservation's ID. */
async function reserveCredits(
  tx: Db,
  list: BulkList,
  { cost, viewer, approves }: { cost: number; viewer: Viewer; approves: boolean },
): Promise<Outcome<string>> {
  const id = randomUUID();
  const account = await openReservation(tx, {
    id,
    userId: list.userId,
    actorId: approves ? (list.approval?.askedBy ?? viewer.id) : viewer.id,
    approvedBy: approves ? viewer.id : null,
    amount: cost,
    purpose: `list "${list.name}"`,
  });
  return account === null ? failShort(await loadAccount(tx, list.userId), cost) : succeed(id);
}

async function storeStart(
  tx: Db,
  { id }: BulkList,
  start: { reservationId: string; startsAt: Date | null; viewer: Viewer; approves: boolean },
): Promise<void> {
  const { reservationId, startsAt, viewer, approves } = start;
  // A list that waited for approval keeps the requester's email address.
  const starterEmail = viewer.emailVerified ? viewer.email : "";
  await tx.$executeRaw`
    UPDATE bulk_lists SET state = 'running', reservation_id = ${reservationId}, note = NULL, failures = 0,
      next_at = ${startsAt}::timestamptz, starts_at = ${startsAt}::timestamptz,
      started_at = coalesce(started_at, ${startsAt}::timestamptz, clock_timestamp()),
      approval_from = CASE WHEN ${approves} THEN approval_from ELSE state END, approved_by = ${approves ? viewer.id : null}::text,
      starter_email = CASE WHEN ${approves} THEN starter_email ELSE ${starterEmail}::text END
    WHERE id = ${id}`;
  if (approves) {
    await closeListAlarm(tx, "approval_needed", id, viewer.id, `Approved by ${viewer.displayName}.`);
  }
}

function failShort({ balance, held }: Account, cost: number): Failed {
  const available = balance - held;
  return fail(
    "insufficient_credits",
    `The list costs ${formatCredits(cost)}, ${formatInteger(available)} available, ${formatInteger(cost - available)} missing. Nothing was reserved or sent. Buy credits, then start again.`,
  );
}

/** Pauses a running list: rows being sent end, no others start, and the credits stay reserved. */
export function pauseList(id: string, viewer: Viewer): Promise<Outcome<string>> {
  return withLockedList(id, async (tx, { state }) => {
    const paused = await tx.$executeRaw`
      UPDATE bulk_lists SET state = 'paused', note = NULL, next_at = NULL WHERE id = ${id} AND state = 'running' AND NOT coalesce(${IS_WAITING}, false)`;
    return paused === 1
      ? `Paused by ${viewer.displayName}. The credits stay reserved.`
      : failNotPossible(state);
  });
}

/** Resumes a paused list and closes its alarm. A list that a restore paused before its start still waits for its time. */
export async function resumeList(id: string, viewer: Viewer): Promise<Outcome<string>> {
  const compared = await leaveOutMailed(id, viewer.id);
  if (!compared.ok) return compared;
  const sentence = formatResumed(compared.value);
  return withLockedList(id, async (tx, { state }) => {
    const resumed = await tx.$executeRaw`
      UPDATE bulk_lists SET state = 'running', note = NULL, failures = 0,
        next_at = CASE WHEN starts_at > clock_timestamp() THEN starts_at END
      WHERE id = ${id} AND state = 'paused'`;
    if (resumed === 0) return failNotPossible(state);
    await closeListAlarm(tx, "list_paused", id, viewer.id, sentence);
    return sentence;
  });
}

export function stopList(id: string, viewer: Viewer): Promise<Outcome<string>> {
  return withLockedList(id, async (tx, list) => {
    if (!ACTIVE_STATES.includes(list.state)) return failNotPossible(list.state);
    return formatStopped(await endList(tx, list, "stopped", viewer.id));
  });
}

/** Pauses a running list because of a problem that would stop each row, and opens an alarm. A person resumes it. */
export async function pauseWithNote(db: PrismaClient, id: string, note: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const paused = await tx.$executeRaw`
      UPDATE bulk_lists SET state = 'paused', note = ${note}, next_at = NULL WHERE id = ${id} AND state = 'running'`;
    if (paused === 1) await openAlarm(tx, { kind: "list_paused", subject: { type: "list", id }, text: note });
  });
}

/** Ends running lists whose rows were all handed over, and releases the credits that refused rows left. */
export function finishLists(): Promise<Outcome<null>> {
  return withDatabase(async (db) => {
    const ended = await db.$queryRaw<{ id: string }[]>`
      SELECT l.id FROM bulk_lists l WHERE l.state = 'running' AND NOT EXISTS (${selectOpenRows(Prisma.sql`l.id`)})`;
    for (const { id } of ended) {
      await db.$transaction(async (tx) => {
        const list = await lockList(tx, id);
        // Checked again behind the lock: a refused row may have been corrected since.
        const [open] = await tx.$queryRaw<unknown[]>(selectOpenRows(Prisma.sql`${id}`));
        if (list?.state === "running" && !open) await endList(tx, list, "finished", "system");
      });
      log.info("bulk.finished", { rowId: id });
    }
    return null;
  });
}

/** SQL for rows that a list waits for. It does not wait for a piece that only a person can settle. */
function selectOpenRows(listId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT 1 FROM (${selectReadyRows(listId)} LIMIT 1) AS ready
    UNION ALL
    SELECT 1 FROM bulk_rows r WHERE r.list_id = ${listId} AND r.state = 'sending'
    UNION ALL
    SELECT 1 FROM bulk_rows r LEFT JOIN sends s ON s.id = r.send_id
    WHERE r.list_id = ${listId} AND r.state = 'checking' AND s.state IS DISTINCT FROM 'needs_review' LIMIT 1`;
}

/** Ends a list and returns the credits released. Part of a transaction that has the list locked. */
export async function endList(
  tx: Db,
  { id, reservationId }: BulkList,
  state: "stopped" | "finished",
  actorId: string,
): Promise<number> {
  await tx.$executeRaw`
    UPDATE bulk_lists SET state = ${state}, note = NULL, next_at = NULL, ended_at = clock_timestamp() WHERE id = ${id}`;
  const released = reservationId === null ? 0 : ((await closeReservation(tx, reservationId, actorId)) ?? 0);
  await closeListAlarm(tx, "list_paused", id, actorId, formatStopped(released));
  return released;
}

/** @param leftOut rows that the provider already has, after a restore */
function formatResumed(leftOut: number): string {
  const resumed = "The list is running again.";
  return leftOut === 0
    ? resumed
    : `${resumed} ${formatCount(leftOut, "row")} left out: the provider already has the ${leftOut === 1 ? "piece" : "pieces"}.`;
}
