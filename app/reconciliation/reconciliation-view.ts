import type { StatusTone } from "~/pieces/status";
import type { FormattedMoment } from "~/ui/moment";
import type { Period } from "./reconciliation";

export interface ReconciliationView {
  /** The typed period, or the last 30 days. */
  period: Period;
  /** Limit of a comparison. */
  limitSeconds: number;
  /** Months offered as links. */
  months: { name: string; to: string }[];
  /** The daily runs of these days, or the last ones. */
  daily: {
    key: string;
    title: string;
    at: FormattedMoment;
    result: string;
    tone: "ok" | "warn" | "bad";
  }[];
  /** Why nothing was compared; null before a comparison and after one. */
  problem: string | null;
  /** Null before a comparison. */
  result: ReconciliationResult | null;
}

interface ReconciliationResult {
  tone: "ok" | "warn" | "bad";
  summary: string;
  /** Our books beside those of the provider and Stripe. */
  statement: { what: string; ours: string; theirs: string; difference: string | null }[];
  baseUrls: { label: string; url: string; pieces: number; problem: string | null }[];
  groups: { title: string; findings: FindingRow[]; count: number }[];
  /** Null when Stripe is not configured. */
  stripe: { summary: string; findings: FindingRow[]; count: number } | null;
  behind: BehindRow[];
  behindCount: number;
  foreign: ForeignRow[];
  foreignCount: number;
}

export interface FindingRow {
  key: string;
  /** "Postcard of Ana Ruiz" or "A piece" */
  title: string;
  sentAt: FormattedMoment | null;
  /** "mail ID 501" */
  id: string | null;
  what: string;
  next: string;
  /** The page of the piece or purchase. */
  link: { to: string; text: string } | null;
}

export interface BehindRow {
  id: string;
  title: string;
  mailId: string;
  here: string;
  there: string;
  tone: StatusTone;
}

interface ForeignRow {
  key: string;
  mailId: string;
  type: string;
  status: string;
  tone: StatusTone;
  cost: string;
  tags: string;
  createdAt: FormattedMoment | null;
}
