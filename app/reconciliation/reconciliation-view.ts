import type { StatusTone } from "~/pieces/status";
import type { FormattedMoment } from "~/ui/moment";
import type { FindingKind, Period } from "./reconciliation";

/** The page of the reconciliation. */
export interface ReconciliationView {
  /** The typed period, or the last 30 days. */
  period: Period;
  /** How long a comparison may take, in seconds. */
  limitSeconds: number;
  /** The comparisons that run by themselves, as each ended last. */
  daily: { name: string; title: string; at: FormattedMoment; result: string; tone: "ok" | "warn" | "bad" }[];
  /** Why nothing was compared; null before a comparison and after one. */
  problem: string | null;
  /** Null before a comparison. */
  result: ReconciliationResult | null;
}

interface ReconciliationResult {
  tone: "ok" | "warn" | "bad";
  summary: string;
  baseUrls: { label: string; url: string; pieces: number; problem: string | null }[];
  groups: { title: string; findings: FindingRow[]; count: number }[];
  behind: BehindRow[];
  behindCount: number;
  foreign: ForeignRow[];
  foreignCount: number;
}

export interface FindingRow {
  key: string;
  kind: FindingKind;
  /** "Postcard of Ana Ruiz" or "A piece" */
  title: string;
  sentAt: FormattedMoment | null;
  mailId: string | null;
  what: string;
  next: string;
  /** `/sends/<id>` */
  pieceUrl: string | null;
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
