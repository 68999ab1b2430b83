import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseRowId } from "~/platform/page-cursor";
import { Prisma } from "../../prisma/client/client";
import { type AlarmKind, type AlarmSubject, ENDS_BY_DECISION, type Evidence } from "./alarm-kinds";

const ALREADY_CLOSED =
  "This alarm is closed already, or it ends with a decision on its list. Nothing was changed.";

/** A reason to open an alarm, or to add evidence to the one that is open. */
export interface NewAlarm extends Evidence {
  kind: AlarmKind;
  subject: AlarmSubject;
  /**
   * Set for reports that repeat, like an event or a daily comparison: the same evidence does not reopen a closed
   * alarm until {@link endAbsent} finds its fault absent. `facts` carry ids, so that a second refund or dispute is
   * new evidence.
   */
  once?: boolean;
}

/** `added`: new evidence for an open alarm. `known`: nothing new; the report was counted if its alarm is open. */
type OpenedAlarm = "opened" | "added" | "known";

const MAX_EVIDENCE_CHARS = 100_000;

/** Opens an alarm, within a transaction of the caller's or alone. */
export async function openAlarm(db: Db, alarm: NewAlarm): Promise<OpenedAlarm> {
  const { kind, subject, text, facts, once = false } = alarm;
  const line = formatEvidence({ text, facts });
  const rows = await db.$queryRaw<{ times: number; isNew: boolean }[]>`
    WITH before AS (
      SELECT coalesce(bool_or(position(${line} IN coalesce(persisting, evidence)) > 0), false) AS known FROM alarms
      WHERE kind = ${kind} AND subject_type = ${subject.type} AND subject_id = ${subject.id}
        AND (closed_at IS NULL OR ${once}::boolean)
    ),
    stored AS (
      INSERT INTO alarms AS a (kind, subject_type, subject_id, evidence)
      SELECT ${kind}, ${subject.type}, ${subject.id}, ${`${new Date().toISOString()} ${line}`} FROM before
      WHERE NOT known OR EXISTS (SELECT 1 FROM alarms WHERE kind = ${kind} AND subject_type = ${subject.type}
        AND subject_id = ${subject.id} AND closed_at IS NULL)
      ON CONFLICT (kind, subject_type, subject_id) WHERE closed_at IS NULL DO UPDATE SET
        times = a.times + 1, last_at = now(),
        evidence = CASE WHEN position(${line} IN a.evidence) > 0 OR length(a.evidence) > ${MAX_EVIDENCE_CHARS}::int
          THEN a.evidence ELSE a.evidence || chr(10) || EXCLUDED.evidence END,
        persisting = CASE WHEN position(${line} IN a.persisting) > 0
          THEN a.persisting ELSE a.persisting || chr(10) || ${line} END
      RETURNING times
    )
    SELECT times, NOT known AS "isNew" FROM stored, before`;
  const [stored] = rows;
  if (!stored) return "known";
  if (stored.times === 1) {
    // A request for a decision is no fault.
    const write = kind === ENDS_BY_DECISION ? log.info : log.error;
    write(`alarm.${kind}`, { reason: text, ...(subject.type === "piece" ? { sendId: subject.id } : {}) });
    return "opened";
  }
  return stored.isNew ? "added" : "known";
}

/**
 * Ends the faults of a kind that a complete check did not find: a fault that returns then opens an alarm, even if the
 * earlier one was closed. Open alarms stay open.
 */
export async function endAbsent(db: Db, kind: AlarmKind, found: readonly NewAlarm[]): Promise<void> {
  await db.$executeRaw`
    UPDATE alarms a SET persisting = coalesce((
      SELECT string_agg(f.line, chr(10))
      FROM unnest(${found.map(({ subject }) => subject.type)}::text[], ${found.map(({ subject }) => subject.id)}::text[],
        ${found.map(formatEvidence)}::text[]) AS f (type, id, line)
      WHERE f.type = a.subject_type AND f.id = a.subject_id
        AND position(f.line IN coalesce(a.persisting, a.evidence)) > 0), '')
    WHERE kind = ${kind} AND persisting IS DISTINCT FROM ''`;
}

function formatEvidence({ text, facts }: Evidence): string {
  return JSON.stringify({ text, ...(facts ? { facts } : {}) });
}

/** Closes the alarms about a subject, because it was settled elsewhere. @param actorId a user's id or `system` */
export async function closeAlarmsAbout(
  db: Db,
  { kind, subject }: Pick<NewAlarm, "kind" | "subject">,
  actorId: string,
  reason: string,
): Promise<void> {
  const isAbout = Prisma.sql`kind = ${kind} AND subject_type = ${subject.type} AND subject_id = ${subject.id}`;
  await closeWhere(db, isAbout, actorId, reason);
}

/** Closes an alarm by its id; false when it is closed, ends by a decision only, or does not exist. */
export async function markClosed(db: Db, id: string, actorId: string, reason: string): Promise<boolean> {
  const isIt = Prisma.sql`id = ${id}::bigint AND kind <> ${ENDS_BY_DECISION}`;
  return (await closeWhere(db, isIt, actorId, reason)) === 1;
}

function closeWhere(db: Db, condition: Prisma.Sql, actorId: string, reason: string): Promise<number> {
  return db.$executeRaw`
    UPDATE alarms SET closed_at = now(), closed_by = ${actorId}, close_reason = ${reason}
    WHERE closed_at IS NULL AND ${condition}`;
}

export async function countOpenAlarms(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM alarms WHERE closed_at IS NULL`;
  return row?.total ?? 0;
}

/** Counts the open alarms for the header. Fails as the database does. */
export function loadOpenAlarmCount(): Promise<Outcome<number>> {
  return withDatabase(countOpenAlarms);
}

const MAX_REASON_CHARS = 500;

/**
 * Handles the form that closes an alarm (`alarm`, `reason`) and returns the message to show. Fails with `bad_input`
 * without a reason or for an alarm that is not open, and as the database does.
 */
export async function closeAlarm(form: FormData, viewer: Viewer): Promise<Outcome<string>> {
  const id = parseRowId(String(form.get("alarm") ?? ""));
  const reason = String(form.get("reason") ?? "").trim();
  if (reason === "" || reason.length > MAX_REASON_CHARS)
    return fail("bad_input", `Enter a reason of up to ${MAX_REASON_CHARS} characters. The alarm stays open.`);
  if (id === null) return fail("bad_input", ALREADY_CLOSED);
  const closed = await withDatabase(async (db) => {
    await ensureViewerStored(db, viewer);
    return markClosed(db, id, viewer.id, reason);
  });
  if (!closed.ok) return closed;
  return closed.value
    ? succeed("Alarm closed. Your reason is kept with it.")
    : fail("bad_input", ALREADY_CLOSED);
}
