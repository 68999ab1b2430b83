import type { MailType } from "~/pieces/mail-type";
import type { StatusTone } from "~/pieces/status";
import type { FormattedMoment } from "~/ui/moment";

/** What the first screen shows beside the request before anything was sent. */
export interface StartView {
  /** The newest live pieces of the current user. */
  recent: RecentPiece[];
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
