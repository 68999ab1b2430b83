/** The parts of a row that can be hidden, as `?columns=` names them. */
export const COLUMNS = ["to", "status", "user", "tags"] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_LABELS: Record<Column, string> = {
  to: "To",
  status: "Status and duration",
  user: "User and time",
  tags: "Tags",
};

/** The columns that an address asks for, with commas or several times; all where it names none. */
export function parseColumns(parameters: URLSearchParams): readonly Column[] {
  const named = parameters.getAll("columns").flatMap((value) => value.split(","));
  const known = COLUMNS.filter((column) => named.includes(column));
  return known.length === 0 ? COLUMNS : known;
}

/** As the address has them; null for all. */
export function writeColumns(columns: readonly Column[]): string | null {
  return columns.length === COLUMNS.length ? null : columns.join(",");
}
