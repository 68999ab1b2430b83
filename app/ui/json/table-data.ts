import { writeCsvLine } from "~/platform/http/csv";
import { type ExactJson, isBranch, JsonNumber, JsonObject, writeExact, writeScalar } from "./exact-json";
import { listChildren, type TreeRow } from "./tree-rows";

/** Rows that are searched for columns. */
const LOOKED_AT = 1_000;
const MOST_COLUMNS = 60;
/** Places that are searched for a list. */
const MOST_PLACES = 1_000;

export interface Sorting {
  column: string;
  descending: boolean;
}

/** Values of a row by column. A repeated name is two columns: `tag`, `tag (2)`. */
export type Cells = ReadonlyMap<string, ExactJson>;

/** True for a list with objects, which can be shown as a table. */
function isTable(value: unknown): value is ExactJson[] {
  return Array.isArray(value) && value.slice(0, 20).some((row) => row instanceof JsonObject);
}

/** Finds the nearest list of objects at or below a line. */
export function findTable(row: TreeRow): TreeRow | null {
  const waiting = [row];
  for (let at = 0; at < waiting.length && at < MOST_PLACES; at++) {
    const next = waiting[at] as TreeRow;
    if (isTable(next.value)) return next;
    if (waiting.length < MOST_PLACES) waiting.push(...listChildren(next).slice(0, MOST_PLACES));
  }
  return null;
}

export function toCells(row: ExactJson): Cells {
  const cells = new Map<string, ExactJson>();
  for (const [name, value] of row instanceof JsonObject ? row.members : []) {
    let column = name;
    for (let count = 2; cells.has(column); count++) column = `${name} (${count})`;
    cells.set(column, value);
  }
  return cells;
}

/** Lists the columns of rows in order of appearance. */
export function listColumns(rows: readonly Cells[]): string[] {
  const names = new Set(rows.slice(0, LOOKED_AT).flatMap((cells) => [...cells.keys()]));
  return [...names].slice(0, MOST_COLUMNS);
}

export function writeCell(value: ExactJson | undefined): string {
  if (value === undefined || value === null) return "";
  return isBranch(value) ? writeExact(value) : writeScalar(value);
}

/** Sorts numbers by size, texts alphabetically with numbers by size, and empty values last. */
export function sortRows(rows: readonly Cells[], sorting: Sorting | null): readonly Cells[] {
  if (!sorting) return rows;
  const collator = new Intl.Collator("en", { numeric: true });
  const cells = rows.map((row) => ({ row, cell: row.get(sorting.column) }));
  const sign = sorting.descending ? -1 : 1;
  cells.sort((a, b) => {
    const [left, right] = [writeCell(a.cell), writeCell(b.cell)];
    if (left === "" || right === "") return Number(left === "") - Number(right === "");
    const areNumbers = a.cell instanceof JsonNumber && b.cell instanceof JsonNumber;
    // Large numbers may differ only as texts.
    return sign * ((areNumbers ? Number(left) - Number(right) : 0) || collator.compare(left, right));
  });
  return cells.map(({ row }) => row);
}

/** Writes the table as CSV whose cells a spreadsheet does not run. */
export function writeTableCsv(rows: readonly Cells[], columns: readonly string[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => {
      const value = row.get(column);
      return value instanceof JsonNumber ? { number: value.text } : writeCell(value);
    }),
  );
  return [columns, ...lines].map((line) => writeCsvLine([...line])).join("");
}
