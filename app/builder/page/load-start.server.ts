import { countOpenAlarms } from "~/alarms/alarm-record.server";
import { loadMonthSpending } from "~/credits/spending/spending.server";
import type { MailType } from "~/pieces/mail-type";
import type { PieceState } from "~/pieces/states";
import { findShownStatus } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { formatMoment } from "~/ui/moment";
import { listTeamTemplates } from "../draft/team-template.server";

export type StartView = NonNullable<Awaited<ReturnType<typeof loadStart>>>;

const RECENT = 6;

interface RecentRow {
  id: string;
  mailType: MailType;
  /** Null where the request did not name one. */
  recipient: string | null;
  state: PieceState;
  status: string | null;
  createdAt: Date;
}

/** Loads the start for the user who pays; null when the database cannot be read, so that one can work without it. */
export async function loadStart(userId: string, now = new Date()) {
  const [read, month] = await Promise.all([
    withDatabase(async (db) => {
      const rows = await db.$queryRaw<RecentRow[]>`
        SELECT s.id, s.mail_type AS "mailType", coalesce(i.addressee, s.recipient_name) AS recipient, state, i.status,
          s.created_at AS "createdAt"
        FROM sends s LEFT JOIN mail_items i ON i.send_id = s.id
        WHERE s.user_id = ${userId} ORDER BY s.created_at DESC LIMIT ${RECENT}::int`;
      return { rows, templates: await listTeamTemplates(db), alarms: await countOpenAlarms(db) };
    }),
    loadMonthSpending(userId, now),
  ]);
  if (!read.ok || !month.ok) return null;
  return {
    /** The newest live pieces of the current user. */
    recent: read.value.rows.map(({ state, status, createdAt, ...piece }) => {
      const shown = findShownStatus(state, status);
      return { ...piece, status: shown.word, tone: shown.tone, sentAt: formatMoment(createdAt, now) };
    }),
    templates: read.value.templates,
    /** Open alarms of all users. */
    alarms: read.value.alarms,
    /** Live mail of the current user since the first of this month (UTC), refunds taken off. */
    month: { name: now.toLocaleString("en", { month: "long", timeZone: "UTC" }), ...month.value },
  };
}
