import type { MailType } from "~/pieces/mail-type";
import type { PreviewState } from "~/print/layout/preview-content";
import type { PreviewView } from "~/print/preview/preview-view";
import type { FirstLetter } from "~/print/preview/use-letter-drawing";
import type { FormattedMoment } from "~/ui/moment";
import type { ListState, ProblemCode, RowState } from "../bulk-list";

export type Tone = "neutral" | "accent" | "ok" | "warn" | "bad";

/** A row of the table of lists. */
export interface ListEntry {
  id: string;
  name: string;
  mailType: MailType;
  state: ListState;
  by: string;
  createdAt: FormattedMoment;
  rows: number;
  sent: number;
}

/** A row of the table of a list's rows. */
export interface RowEntry {
  number: number;
  name: string;
  place: string;
  word: string;
  tone: Tone;
  problem: string | null;
  /** Id of its piece. */
  sendId: string | null;
  correctable: boolean;
  leftOut: boolean;
  test: { pdf: string | null; problem: string | null } | null;
}

export interface Quote {
  rows: number;
  cost: number;
  available: number;
  missing: number;
  /** The provider's price from its samples; null without one. */
  providerCost: string | null;
  minutes: number;
  tested: boolean;
  buyUrl: string;
  /** True when another person has to approve the start. */
  needsApproval: boolean;
}

/** A start that waits for approval. */
export interface Approval {
  askedBy: string;
  askedAt: FormattedMoment;
  rows: number;
  cost: number;
  available: number;
  /** False for the requester, the list's maker, and people who changed its rows. */
  mayDecide: boolean;
}

interface Progress {
  done: number;
  total: number;
  /** Rows in the last minute. */
  perMinute: number;
  /** Null when it is not known. */
  minutesLeft: number | null;
}

/** Rows by the provider's check of their address. */
export interface AddressChecks {
  valid: number;
  notFound: number;
  unchecked: number;
  /** Ready rows that are not checked yet. */
  left: number;
  /** How long these take at the provider's rate limit. */
  minutes: number;
  checking: boolean;
}

/** A row to correct. */
export interface RowForm {
  number: number;
  cells: { at: number; label: string; value: string; name: string }[];
  problem: string | null;
  /** True when a person may send it anyway. */
  allowable: boolean;
  allowed: boolean;
  canLeaveOut: boolean;
}

export interface ListView {
  id: string;
  name: string;
  mailType: MailType;
  state: ListState;
  /** Why the list waits or is paused. */
  note: string | null;
  payer: string;
  by: string;
  /** The actor of its pieces. */
  startedBy: string;
  /** Warnings about parts that the provider may send otherwise than tested. */
  atProvider: string[];
  createdAt: FormattedMoment;
  startedAt: FormattedMoment | null;
  endedAt: FormattedMoment | null;
  /** A start that can still be undone, or waits for approval. */
  starting: { text: string; isSoon: boolean; value: string } | null;
  erased: FormattedMoment | null;
  /** Import progress; null when no import runs. */
  importPercent: number | null;
  importLost: boolean;
  /** Lists whose rows this list can take while it has none. */
  rowsOwners: { id: string; name: string; rows: number }[];
  /** Null when no row can be changed. */
  addressChecks: AddressChecks | null;
  /** `filled`: rows with a value in an unused column of a draft. */
  columns: { name: string; use: string; fallback: string; sample: string; filled: number | null }[];
  uses: { value: string; label: string }[];
  /** Placeholders without a default in the text. */
  required: string[];
  country: string;
  countries: { code: string; name: string }[];
  unmapped: string[];
  counts: Record<RowState, number>;
  /** Rows to correct whose problem a person may allow. */
  allowable: { code: ProblemCode; count: number }[];
  /** Ready rows with a warning. */
  warned: number;
  /** The row that is suggested for a test. */
  firstReady: number | null;
  statuses: { word: string; tone: Tone; count: number }[];
  money: { reserved: number; charged: number; refunded: number };
  /** Parts of its proof of mailing; 0 when nothing was mailed. */
  proofs: number;
  /** Pieces that may still be cancelled, by their status. */
  cancellable: number;
  /** True while all its pieces are being cancelled. */
  cancelling: boolean;
  filter: RowFilter;
  /** "" when there is no search. */
  search: string;
  page: number;
  pages: number;
  rows: RowEntry[];
  form: RowForm | null;
  preview: { number: number; state: PreviewState; letter: FirstLetter | null; view: PreviewView } | null;
  quote: Quote | null;
  progress: Progress | null;
  /** Set while the list waits for it. */
  approval: Approval | null;
  /** The approver's name; null when approval was not required. */
  approvedBy: string | null;
  /** True when this server does background work; else nothing is sent. */
  background: boolean;
}

/** Filters of the rows table. */
export const ROW_FILTERS = {
  all: "All",
  problem: "To correct",
  ready: "Ready",
  warned: "With warnings",
  left_out: "Left out",
  checking: "Checking",
  sent: "Sent",
  refused: "Refused",
} as const;
export type RowFilter = keyof typeof ROW_FILTERS;

/** Builds the address of the rows, with filter, search and page changed or unchanged. Leaves out defaults. */
export function rowsAddress(
  { filter, search, page }: Pick<ListView, "filter" | "search" | "page">,
  changed: { filter?: RowFilter; page?: number; row?: number } = {},
): string {
  const query = new URLSearchParams();
  const show = changed.filter ?? filter;
  const number = changed.page ?? (changed.filter === undefined ? page : 1);
  if (show !== "all") query.set("show", show);
  if (search !== "") query.set("q", search);
  if (number > 1) query.set("page", String(number));
  if (changed.row !== undefined) query.set("row", String(changed.row));
  return `?${query}`;
}

export const ROWS_PER_PAGE = 50;
