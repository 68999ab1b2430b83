import type { UserOption } from "~/people/user-option";
import type { Failure } from "~/platform/outcome";
import type { ChartView } from "~/ui/chart/chart-plot";
import type { FormattedMoment } from "~/ui/moment";
import type { StoredResponse } from "../stored-response";

/** The parameters of the filter in the address. */
export const FILTER_NAMES = [
  "user_id",
  "category",
  "search",
  "status",
  "method",
  "mode",
  "tag",
  "from",
  "to",
] as const;
export type FilterValues = Record<(typeof FILTER_NAMES)[number], string>;

/** The parts of a row that `?columns=` can hide. */
export const COLUMNS = ["to", "status", "user", "tags"] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_LABELS: Record<Column, string> = {
  to: "To",
  status: "Status and duration",
  user: "User and time",
  tags: "Tags",
};

/** Parses the columns in an address, comma-separated or repeated; all when it names none. */
export function parseColumns(parameters: URLSearchParams): readonly Column[] {
  const named = parameters.getAll("columns").flatMap((value) => value.split(","));
  const known = COLUMNS.filter((column) => named.includes(column));
  return known.length === 0 ? COLUMNS : known;
}

/** Writes columns for an address; null for all. */
export function writeColumns(columns: readonly Column[]): string | null {
  return columns.length === COLUMNS.length ? null : columns.join(",");
}

/** A stored response as a list shows it. */
export interface ResponseRow
  extends Pick<StoredResponse, "id" | "method" | "path" | "tags" | "mode" | "addressee"> {
  /** Labels of category and preset; ids that the catalogue does not know. */
  category: string;
  preset: string;
  status: number | null;
  /** True for a refusal inside a 2xx answer. */
  isRefused: boolean;
  durationMs: number | null;
  user: string;
  at: FormattedMoment;
  cancelled: { at: FormattedMoment | null; reason: string | null } | null;
  /** True when it offers 'Cancel Mail'. */
  canCancel: boolean;
  /** Its page is `/sends/<sendId>`. */
  sendId: string | null;
}

/** The bodies of one stored response as they are stored: JSON texts, null when empty. */
export interface ShownBodies {
  request: string | null;
  response: string | null;
}

/** The question to confirm a cancel. */
export interface CancelQuestion {
  /** ID of the stored response. */
  id: string;
  /** The effect of the cancel. */
  message: string;
}

/** The content that is loaded from the database. */
export interface StoredContent {
  users: UserOption[];
  totals: { total: number; successful: number; errors: number; recent: number };
  /** Responses on each of the last days. */
  days: ChartView;
  rows: ResponseRow[];
  /** Y of "Showing X of Y responses": "12", or "1000+". */
  matching: string;
  /** The number of newest responses that were searched; null when all were. */
  searchedNewest: number | null;
  /** Addresses of the neighbouring pages. */
  older: string | null;
  newest: string | null;
  /** The first of two responses to compare, which may be on another page; null while none is chosen. */
  chosen: { id: string; about: string; at: FormattedMoment; remove: string } | null;
  /** The row that the address opens, without JavaScript. */
  opened: { id: string; bodies: ShownBodies | null } | null;
}

/** The Stored Responses tab at an address. */
export interface StoredView {
  signedIn: boolean;
  /** Set when there is no `content`. */
  failure: Failure | null;
  /** The reason why the filter is not valid. */
  problem: string | null;
  filter: FilterValues;
  /** The filter as text: "Chidi Okafor", "Postcards". */
  applied: string[];
  /** The parameters of the filter, for links that keep it. */
  filterQuery: string;
  columns: readonly Column[];
  /** The parameters of filter, columns and page, with which an address leads back here. */
  listQuery: string;
  content: StoredContent | null;
  /** The question to confirm a cancel, if the address asks it. */
  question: CancelQuestion | null;
}
