import { countOpenAlarms } from "~/alarms/alarm-record.server";
import { loadMonthSpending } from "~/credits/overview/spend.server";
import type { MailType } from "~/pieces/mail-type";
import type { PieceState } from "~/pieces/states";
import { findShownStatus, type StatusTone } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { type FormattedMoment, formatMoment } from "~/ui/moment";
import { listTemplates, type TeamTemplate } from "../draft/parked-draft.server";

/** Content of the first screen above the request tools. */
export interface StartView {
  /** The newest live pieces of the current user. */
  recent: RecentPiece[];
  templates: TeamTemplate[];
  /** Open alarms of all users. */
  alarms: number;
  /** Live mail of the current user since the first of this month (UTC), refunds taken off. */
  month: { name: string; pieces: number; credits: number };
}

export interface RecentPiece {
  /** Its page is `/sends/<id>`. */
  id: string;
  mailType: MailType;
  /** Null where the request did not name one. */
  recipient: string | null;
  status: string;
  tone: StatusTone;
  sentAt: FormattedMoment;
}

const RECENT = 6;

interface Row extends Pick<RecentPiece, "id" | "mailType" | "recipient"> {
  state: PieceState;
  status: string | null;
  createdAt: Date;
}

/** Loads the start for the user who pays; null when the database cannot be read, so that one can work without it. */
export async function loadStart(userId: string, now = new Date()): Promise<StartView | null> {
  const [read, month] = await Promise.all([
    withDatabase(async (db) => {
      const rows = await db.$queryRaw<Row[]>`
        SELECT s.id, s.mail_type AS "mailType", coalesce(i.addressee, s.recipient_name) AS recipient, state, i.status,
          s.created_at AS "createdAt"
        FROM sends s LEFT JOIN mail_items i ON i.send_id = s.id
        WHERE s.user_id = ${userId} ORDER BY s.created_at DESC LIMIT ${RECENT}::int`;
      return { rows, templates: await listTemplates(db), alarms: await countOpenAlarms(db) };
    }),
    loadMonthSpending(userId, now),
  ]);
  if (!read.ok || !month.ok) return null;
  return {
    recent: read.value.rows.map(({ state, status, createdAt, ...piece }) => {
      const shown = findShownStatus(state, status);
      return { ...piece, status: shown.word, tone: shown.tone, sentAt: formatMoment(createdAt, now) };
    }),
    templates: read.value.templates,
    alarms: read.value.alarms,
    month: { name: now.toLocaleString("en", { month: "long", timeZone: "UTC" }), ...month.value },
  };
}
