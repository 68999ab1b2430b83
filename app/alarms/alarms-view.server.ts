import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import type { ValueOf } from "~/platform/outcome";
import { cutNumberedPage, parseRowId } from "~/platform/page-cursor";
import { buildAddress } from "~/platform/url";
import { formatDate, formatMoment, formatMomentIfValid } from "~/ui/moment";
import { type Alarm, Prisma } from "../../prisma/client/client";
import { ALARM_KINDS, type AlarmKind, type AlarmSubject, ENDS_BY_DECISION } from "./alarm-kinds";
import { countOpenAlarms } from "./alarm-record.server";

/** The decision that closes an alarm, made on the page of its subject. */
const DECISIONS: Partial<Record<AlarmKind, string>> = {
  piece_needs_decision: "Say on the piece's page whether it was mailed. That closes this alarm.",
  approval_needed: "Approve or refuse the list on its page. That closes this alarm.",
  list_paused: "Resume or stop the list on its page. That closes this alarm.",
};

const PAGE_ROWS = 30;

export type AlarmsView = ValueOf<typeof loadAlarms>;
export type AlarmRow = ReturnType<typeof toAlarmRow>;

interface StoredAlarm extends Omit<Alarm, "id" | "persisting"> {
  id: string;
  subjectType: AlarmSubject["type"];
  /** The names of the subject; null when it is no longer stored, or has none. */
  mailType: string | null;
  subjectName: string | null;
  subjectAt: Date | null;
}

/** Loads a page of alarms. @param query `show=closed`, and `before`: the last alarm on the previous page */
export function loadAlarms(query: URLSearchParams, now: Date) {
  const closed = query.get("show") === "closed";
  const before = parseRowId(query.get("before"));
  return withDatabase(async (db) => {
    const rows = await selectAlarms(
      db,
      Prisma.sql`${closed ? Prisma.sql`a.closed_at IS NOT NULL` : Prisma.sql`a.closed_at IS NULL`}
        AND (${before}::bigint IS NULL OR a.id < ${before}::bigint)`,
    );
    const toAddress = (before: string | null) =>
      buildAddress("/alarms", { show: closed ? "closed" : null, before });
    const { visible, ...pages } = cutNumberedPage(rows, PAGE_ROWS, before, toAddress);
    const alarms = visible.map((row) => toAlarmRow(row, now));
    return { closed, open: await countOpenAlarms(db), alarms, ...pages };
  });
}

/** Lists the alarms of one piece, payment or user, newest first; at most one page. */
export async function listAlarmsAbout(db: Db, { type, id }: AlarmSubject, now: Date): Promise<AlarmRow[]> {
  const rows = await selectAlarms(db, Prisma.sql`a.subject_type = ${type} AND a.subject_id = ${id}`);
  return rows.map((row) => toAlarmRow(row, now));
}

/** Names the subject of each alarm. The query of a webhook's address is left out, because it may hold a secret. */
function selectAlarms(db: Db, condition: Prisma.Sql): Promise<StoredAlarm[]> {
  return db.$queryRaw<StoredAlarm[]>`
    SELECT a.id::text, a.kind, a.subject_type AS "subjectType", a.subject_id AS "subjectId",
      s.mail_type AS "mailType", coalesce(s.recipient_name, l.name, regexp_replace(w.url, '[?].*', '?…'), who.display_name) AS "subjectName",
      coalesce(s.created_at, c.created_at, l.created_at) AS "subjectAt", a.evidence, a.times,
      a.opened_at AS "openedAt", a.last_at AS "lastAt", a.closed_at AS "closedAt",
      coalesce(u.display_name, a.closed_by) AS "closedBy", a.close_reason AS "closeReason"
    FROM alarms a LEFT JOIN users u ON u.id = a.closed_by
    LEFT JOIN sends s ON a.subject_type = 'piece' AND s.id = a.subject_id
    LEFT JOIN checkout_sessions c ON a.subject_type = 'payment' AND c.id = a.subject_id
    LEFT JOIN users who ON who.id = CASE a.subject_type WHEN 'user' THEN a.subject_id ELSE c.user_id END
    LEFT JOIN webhook_endpoints w ON a.subject_type = 'webhook' AND w.id = a.subject_id
    LEFT JOIN bulk_lists l ON a.subject_type = 'list' AND l.id = a.subject_id
    WHERE ${condition} ORDER BY a.id DESC LIMIT ${PAGE_ROWS + 1}::int`;
}

function toAlarmRow(row: StoredAlarm, now: Date) {
  const { id, kind, times, closedAt, closedBy, closeReason } = row;
  return {
    id,
    title: ALARM_KINDS[kind as AlarmKind] ?? kind.replaceAll("_", " "),
    subject: toSubject(row),
    opened: formatMoment(row.openedAt, now),
    last: formatMoment(row.lastAt, now),
    times,
    evidence: row.evidence.split("\n").map((line) => toEvidence(line, now)),
    /** The decision to make on the page of its subject, while it is open; null without one. */
    decision: (closedAt === null && DECISIONS[kind as AlarmKind]) || null,
    /** True when a person may close it here. */
    closable: closedAt === null && kind !== ENDS_BY_DECISION,
    closed: closedAt && { at: formatMoment(closedAt, now), by: closedBy ?? "", reason: closeReason ?? "" },
  };
}

function toSubject({ subjectType, subjectId, mailType, subjectName, subjectAt }: StoredAlarm) {
  const id = encodeURIComponent(subjectId);
  const day = subjectAt === null ? "" : `, ${formatDate(subjectAt)}`;
  switch (subjectType) {
    case "piece": {
      const kind = mailType === "letter" ? "Letter" : "Postcard";
      const piece = subjectName === null ? kind : `${kind} to ${subjectName}`;
      return { name: `${mailType === null ? `Piece ${subjectId}` : piece}${day}`, href: `/sends/${id}` };
    }
    case "payment":
      return { name: `Payment for ${subjectName ?? subjectId}${day}`, href: `/purchases/${id}` };
    case "user":
      return {
        name: subjectName ?? `User ${subjectId}`,
        href: buildAddress("/users", { view: "history", user_id: subjectId }),
      };
    case "webhook":
      return { name: subjectName ?? `Webhook ${subjectId}`, href: `/webhooks/${id}` };
    case "list":
      return { name: `${subjectName ?? `List ${subjectId}`}${day}`, href: `/bulk/${id}` };
    case "system":
      return { name: subjectId, href: null };
  }
}

function toEvidence(line: string, now: Date) {
  const gap = line.indexOf(" ");
  const { text, facts } = parseRecord(parseJson(line.slice(gap + 1)));
  return {
    at: formatMomentIfValid(new Date(line.slice(0, gap)), now),
    text: typeof text === "string" ? text : line,
    facts: Object.entries(parseRecord(facts)).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name.replaceAll("_", " "), String(value)]],
    ),
  };
}
