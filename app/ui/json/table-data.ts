import { writeCsvLine } from "~/platform/http/csv";
import { isRecord } from "~/platform/json-value";
import { isBranch, listChildren, type TreeRow } from "./tree-rows";

/** Rows whose names become columns. */
const LOOKED_AT = 1_000;
const MOST_COLUMNS = 60;
/** Places that are searched for a list. */
const MOST_PLACES = 1_000;

export interface Sorting {
  column: string;
  descending: boolean;
}

/** True when a value can be shown as a table: a list with objects in it. */
function isTable(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.slice(0, 20).some(isRecord);
}

/** The nearest list of objects at or below a line; null without one. */
export function findTable(row: TreeRow): TreeRow | null {
  const waiting = [row];
  for (let at = 0; at < waiting.length && at < MOST_PLACES; at++) {
    const next = waiting[at] as TreeRow;
    if (isTable(next.value)) return next;
    if (waiting.length < MOST_PLACES) waiting.push(...listChildren(next).slice(0, MOST_PLACES));
  }
  return null;
}

/** The names in a list's objects, in the order in which they come first. */
export function listColumns(rows: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, LOOKED_AT)) {
    if (isRecord(row)) for (const name of Object.keys(row)) names.add(name);
  }
  return [...names].slice(0, MOST_COLUMNS);
}

/** A cell's value; undefined where a row has none. */
export function selectCell(row: unknown, column: string): unknown {
  return isRecord(row) && Object.hasOwn(row, column) ? row[column] : undefined;
}

export function writeCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  return isBranch(value) ? JSON.stringify(value) : String(value);
}

/** The rows in order: numbers by size, texts by the alphabet with their numbers by size, empty ones last. */
export function sortRows(rows: readonly unknown[], sorting: Sorting | null): readonly unknown[] {
  if (!sorting) return rows;
  const collator = new Intl.Collator("en", { numeric: true });
  const cells = rows.map((row) => ({ row, cell: selectCell(row, sorting.column) }));
  const sign = sorting.descending ? -1 : 1;
  cells.sort((a, b) => {
    const [left, right] = [writeCell(a.cell), writeCell(b.cell)];
    if (left === "" || right === "") return Number(left === "") - Number(right === "");
    if (typeof a.cell === "number" && typeof b.cell === "number") return sign * (a.cell - b.cell);
    return sign * collator.compare(left, right);
  });
  return cells.map(({ row }) => row);
}

/** The table as a file for a spreadsheet, which runs none of its cells. */
export function writeTableCsv(rows: readonly unknown[], columns: readonly string[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => {
      const value = selectCell(row, column);
      return typeof value === "number" ? value : writeCell(value);
    }),
  );
  return [columns, ...lines].map((line) => writeCsvLine([...line])).join("");
}
