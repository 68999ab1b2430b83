import { useEffect, useMemo, useRef, useState } from "react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { writeCsvLine } from "~/platform/http/csv";
import { type ExactJson, isBranch, JsonNumber, JsonObject, writeExact, writeScalar } from "./exact-json";
import { cutAround, Marked } from "./json-line";
import { listChildren, type TreeRow, writePath } from "./tree-rows";

/** Rows drawn at first, and with each further step. */
const ROWS = 200;
const CELL_CHARS = 200;
/** Shorter texts stay on one line. */
const SHORT_CHARS = 32;
const FIRST_COLUMNS = 12;
const MOST_COLUMNS = 60;
/** First rows whose names become columns. */
const NAMED_ROWS = 1_000;
/** Lines that are searched for a table. */
const MOST_PLACES = 1_000;

type Sorting = { column: string; descending: boolean };

/** Values of a row by column. A repeated name is two columns: `tag`, `tag (2)`. */
type Cells = ReadonlyMap<string, ExactJson>;

interface JsonTableProps {
  table: TreeRow;
  /** Marked line, scrolled into view. */
  chosen: TreeRow;
  /** Marked words; "" for none. */
  words: string;
}

/** A list of objects as a table with a choice of columns and order. */
export function JsonTable({ table, chosen: place, words }: JsonTableProps) {
  const list = table.value as ExactJson[];
  const rows = useMemo(() => list.map(toCells), [list]);
  const all = useMemo(() => listColumns(rows), [rows]);
  const [chosen, setChosen] = useState<readonly string[]>(() => all.slice(0, FIRST_COLUMNS));
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [drawn, setDrawn] = useState(ROWS);
  const sorted = useMemo(() => sortRows(rows, sorting), [rows, sorting]);
  const box = useRef<HTMLElement>(null);
  const found = findCell(place, list);
  const at = found ? sorted.indexOf(rows[found.index] as Cells) : -1;
  const hidden = found?.column !== undefined && all.includes(found.column) && !chosen.includes(found.column);
  // Draws a found place also in a later row or a hidden column.
  if (at >= drawn) setDrawn(at + ROWS);
  if (hidden) setChosen([...chosen, found.column ?? ""]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place was chosen
  useEffect(() => {
    box.current
      ?.querySelector('[aria-current="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [place]);
  const columns = all.filter((column) => chosen.includes(column));
  const sort = (column: string) =>
    setSorting({ column, descending: sorting?.column === column && !sorting.descending });
  return (
    <div className="border-line border-t">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2">
        <span className="text-dim">
          <span className="wire">{writePath(table)}</span>, {formatCount(rows.length, "row")}
        </span>
        <details>
          <summary className="link">
            Columns: {columns.length} of {all.length}
          </summary>
          <fieldset className="mt-2 flex max-h-60 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
            <legend className="sr-only">Columns</legend>
            {all.map((column) => (
              <label key={column} className="flex items-center gap-1.5">
                <input
                  type="checkbox"
                  className="size-4"
                  checked={chosen.includes(column)}
                  onChange={({ target }) =>
                    setChosen(target.checked ? [...chosen, column] : chosen.filter((name) => name !== column))
                  }
                />
                <span className="wire">{column}</span>
              </label>
            ))}
          </fieldset>
        </details>
        <button
          type="button"
          className="link ml-auto cursor-pointer"
          onClick={() => saveFile(writeTableCsv(sorted, columns))}
        >
          CSV
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <section ref={box} aria-label="Table" tabIndex={0} className="scrolls max-h-[70vh]">
        <table className="wire w-full">
          <thead className="sticky top-0 bg-sunken text-left">
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="px-2 py-1.5 font-normal"
                  aria-sort={
                    sorting?.column !== column ? undefined : sorting.descending ? "descending" : "ascending"
                  }
                >
                  <button type="button" className="json-key cursor-pointer" onClick={() => sort(column)}>
                    {column}
                    <span aria-hidden>
                      {sorting?.column !== column ? "" : sorting.descending ? " ↓" : " ↑"}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, drawn).map((row, index) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer have no other identity
                key={index}
                className={`border-line border-t align-top ${index === at ? "bg-accent-wash" : "hover:bg-sunken"}`}
              >
                {columns.map((column) => (
                  <Cell
                    key={column}
                    value={row.get(column)}
                    words={words}
                    current={index === at && column === (found?.column ?? columns[0])}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {sorted.length > drawn ? (
          <p className="p-2">
            <button type="button" className="button" onClick={() => setDrawn(drawn + ROWS)}>
              {formatInteger(sorted.length - drawn)} more rows
            </button>
          </p>
        ) : null}
      </section>
    </div>
  );
}

function saveFile(csv: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  link.download = "answer.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Finds the row and column of a place in the list; null outside of it. */
function findCell(place: TreeRow, list: readonly ExactJson[]): { index: number; column?: string } | null {
  let column: string | undefined;
  for (let next: TreeRow | null = place; next?.parent; next = next.parent) {
    if (next.parent.value === list) return { index: next.index, column };
    column = String(next.key);
  }
  return null;
}

function Cell({ value, words, current }: { value: ExactJson | undefined; words: string; current: boolean }) {
  const text = writeCell(value);
  const isNumber = value instanceof JsonNumber;
  return (
    <td
      aria-current={current || undefined}
      className={`px-2 py-1 ${isNumber ? "text-right tabular-nums" : text.length < SHORT_CHARS ? "whitespace-nowrap" : "min-w-48 max-w-80 [overflow-wrap:anywhere]"}`}
    >
      <Marked text={cutAround(text, current ? words : "", CELL_CHARS)} words={words} />
    </td>
  );
}

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

export function listColumns(rows: readonly Cells[]): string[] {
  const names = new Set(rows.slice(0, NAMED_ROWS).flatMap((cells) => [...cells.keys()]));
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
