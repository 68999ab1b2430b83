import type { MailType } from "~/pieces/mail-type";
import type { PreviewState } from "~/print/layout/preview-content";
import type { PreviewView } from "~/print/preview/preview-view";
import type { FirstLetter } from "~/print/preview/use-letter-drawing";
import type { FormattedMoment } from "~/ui/moment";
import type { ListState, ProblemCode, RowState } from "../bulk-list";

export type Tone = "neutral" | "accent" | "ok" | "warn" | "bad";

/** A list in the table of lists. */
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

/** A row in the table of a list. */
export interface RowEntry {
  number: number;
  name: string;
  place: string;
  word: string;
  tone: Tone;
  problem: string | null;
  /** Its piece's page is `/sends/<id>`. */
  sendId: string | null;
  correctable: boolean;
  leftOut: boolean;
  test: { pdf: string | null; problem: string | null } | null;
}

/** The cost of the list and the time it takes. */
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
  /** True when another person has to approve it. */
  needsApproval: boolean;
}

/** The start that another person is asked to approve. */
export interface Approval {
  askedBy: string;
  askedAt: FormattedMoment;
  rows: number;
  cost: number;
  available: number;
  /** False for the requester, the list's maker, and those who changed its rows. */
  mayDecide: boolean;
}

/** How far a list that was started is. */
interface Progress {
  done: number;
  total: number;
  /** Rows in the last minute. */
  perMinute: number;
  /** Null where it cannot be told. */
  minutesLeft: number | null;
}

/** The provider's verdicts on the addresses of a list, in rows. */
export interface AddressChecks {
  valid: number;
  notFound: number;
  unchecked: number;
  /** Ready rows that it was not asked about. */
  left: number;
  checking: boolean;
}

/** A row with its cells, to be corrected. */
export interface RowForm {
  number: number;
  cells: { at: number; label: string; value: string; name: string }[];
  problem: string | null;
  /** A person may send it all the same. */
  allowable: boolean;
  allowed: boolean;
  canLeaveOut: boolean;
}

/** The page of a list. */
export interface ListView {
  id: string;
  name: string;
  mailType: MailType;
  state: ListState;
  /** Why it waits or is paused. */
  note: string | null;
  payer: string;
  by: string;
  /** The actor of its pieces. */
  startedBy: string;
  /** Sentences about what the provider may send otherwise than tested. */
  atProvider: string[];
  createdAt: FormattedMoment;
  startedAt: FormattedMoment | null;
  endedAt: FormattedMoment | null;
  /** A start that can still be undone, or waits for approval. */
  starting: { text: string; isSoon: boolean; value: string } | null;
  erased: FormattedMoment | null;
  /** How much of its file is imported; null while none is. */
  importPercent: number | null;
  importLost: boolean;
  /** Lists whose rows this one can take while it has none. */
  rowsOwners: { id: string; name: string; rows: number }[];
  /** Null where no row can be changed any more. */
  addressChecks: AddressChecks | null;
  /** `filled` is how many rows have a value in an unused column of a draft. */
  columns: { name: string; use: string; fallback: string; sample: string; filled: number | null }[];
  uses: { value: string; label: string }[];
  /** Placeholders that the text has no default for. */
  required: string[];
  country: string;
  countries: { code: string; name: string }[];
  unmapped: string[];
  counts: Record<RowState, number>;
  /** Rows to correct whose problem a person may allow. */
  allowable: { code: ProblemCode; count: number }[];
  /** Ready rows with a warning. */
  warned: number;
  statuses: { word: string; tone: Tone; count: number }[];
  money: { reserved: number; charged: number; refunded: number };
  /** Parts of its proof of mailing; 0: nothing was mailed. */
  proofs: number;
  /** Pieces that may still be cancelled, as far as their statuses tell. */
  cancellable: number;
  /** True while all of them are being cancelled. */
  cancelling: boolean;
  filter: RowFilter;
  /** The text that the rows shown have; "" for all. */
  search: string;
  page: number;
  pages: number;
  rows: RowEntry[];
  form: RowForm | null;
  preview: { number: number; state: PreviewState; letter: FirstLetter | null; view: PreviewView } | null;
  quote: Quote | null;
  progress: Progress | null;
  /** While the list waits for it. */
  approval: Approval | null;
  /** Who approved it; null: no one had to. */
  approvedBy: string | null;
  /** True when this server does background work, without which nothing is sent. */
  background: boolean;
}

/** Which rows the table shows. */
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

/** The address of the rows shown: filter, search and page, as they are or changed. Empty and usual values are left out. */
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

/** Shown of a list's rows at a time. */
export const ROWS_PER_PAGE = 50;
