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
