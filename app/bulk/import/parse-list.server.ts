import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type CsvError, parse } from "csv-parse";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import {
  EMPTY_FILE,
  formatBadQuotes,
  formatCellTooLong,
  formatRowTooLong,
  formatSameHeader,
  formatTooManyColumns,
  formatTooManyRows,
  HEADER_ONLY,
  NO_HEADER,
} from "../messages";
import { decodeText } from "./decode-text";
import { findFormat } from "./separator";

/** A row of a list, as its file has it. */
export interface ParsedRow {
  /** As a spreadsheet counts: the header is 1. */
  number: number;
  /** As many as the header has, and what is more. */
  cells: string[];
}

const MAX_ROWS = 50_000;
const MAX_COLUMNS = 100;
export const MAX_CELL_CHARS = 5_000;
const MAX_ROW_CHARS = 100_000;
const MAX_HEADER_CHARS = 100;
/** Given to the parser at a time, so that others are served in between. */
const SLICE_CHARS = 64 * 1024;

/**
 * Parses a list: CSV with any of Excel's separators, or rows pasted from a spreadsheet. The header goes to `onHeader`, the rows
 * in batches to `onRows`, whose failure ends it. Gives the number of rows. Fails with `bad_input` and the sentence of what
 * is wrong; some batches may have been handed over by then.
 */
export async function parseList(
  bytes: Uint8Array,
  {
    batchSize,
    onHeader,
    onRows,
  }: {
    batchSize: number;
    onHeader: (columns: string[]) => void;
    onRows: (rows: ParsedRow[]) => Promise<Outcome<unknown>>;
  },
): Promise<Outcome<number>> {
  const decoded = decodeText(bytes);
  if (decoded.text === null) return fail("bad_input", decoded.problem);
  const { text } = decoded;
  if (text.trim() === "") return fail("bad_input", EMPTY_FILE);
  const { separator, start } = findFormat(text);
  const parser = parse({
    bom: true,
    delimiter: separator,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARS,
  });
  const feeding = feed(parser, text, start);
  let columns: string[] | null = null;
  let batch: ParsedRow[] = [];
  let count = 0;
  let number = 0;
  try {
    for await (const record of parser) {
      const cells = (record as string[]).map((cell) => cell.trim());
      number += 1;
      if (columns === null) {
        const header = parseHeader(cells);
        if (!header.ok) return header;
        columns = header.value;
        onHeader(columns);
        continue;
      }
      const trimmed = dropEmptyEnd(cells, columns.length);
      if (trimmed.every((cell) => cell === "")) continue;
      const long = trimmed.findIndex((cell) => cell.length > MAX_CELL_CHARS);
      if (long >= 0) {
        const name = columns[long] ?? `column ${long + 1}`;
        return fail("bad_input", formatCellTooLong(number, name, trimmed[long]?.length ?? 0, MAX_CELL_CHARS));
      }
      if (count === MAX_ROWS) return fail("bad_input", formatTooManyRows(MAX_ROWS));
      count += 1;
      batch.push({ number, cells: trimmed });
      if (batch.length === batchSize) {
        const taken = await onRows(batch);
        if (!taken.ok) return taken;
        batch = [];
      }
    }
  } catch (error) {
    return fail("bad_input", formatParseError(error as CsvError, number));
  } finally {
    parser.destroy();
    await feeding;
  }
  if (columns === null) return fail("bad_input", EMPTY_FILE);
  if (count === 0) return fail("bad_input", HEADER_ONLY);
  const taken = batch.length > 0 ? await onRows(batch) : succeed(null);
  return taken.ok ? succeed(count) : taken;
}

/** Writes the text into the parser in slices, no faster than its rows are taken. */
async function feed(parser: ReturnType<typeof parse>, text: string, start: number): Promise<void> {
  const closed = new Promise<void>((resolve) => parser.once("close", resolve));
  for (let at = start; at < text.length && !parser.destroyed; at += SLICE_CHARS) {
    const taken = parser.write(text.slice(at, at + SLICE_CHARS));
    if (!taken) await Promise.race([new Promise((resolve) => parser.once("drain", resolve)), closed]);
    await yieldToEventLoop();
  }
  if (!parser.destroyed) parser.end();
}

/** Names of columns, each once; one without a name is called by its place. */
function parseHeader(cells: string[]): Outcome<string[]> {
  const named = dropEmptyEnd(cells, 0);
  if (named.length === 0) return fail("bad_input", NO_HEADER);
  if (named.length > MAX_COLUMNS) return fail("bad_input", formatTooManyColumns(named.length, MAX_COLUMNS));
  const columns = named.map((name, at) => name.slice(0, MAX_HEADER_CHARS) || `Column ${at + 1}`);
  const seen = new Map<string, number>();
  for (const [at, name] of columns.entries()) {
    const first = seen.get(name.toLowerCase());
    if (first !== undefined) return fail("bad_input", formatSameHeader(name, first + 1, at + 1));
    seen.set(name.toLowerCase(), at);
  }
  return succeed(columns);
}

/** Cells without empty ones after the last column: spreadsheets add them. */
function dropEmptyEnd(cells: readonly string[], columns: number): string[] {
  let end = cells.length;
  while (end > columns && cells[end - 1] === "") end -= 1;
  return [...cells.slice(0, end), ...Array(Math.max(0, columns - end)).fill("")];
}

function formatParseError({ code }: CsvError, rowsBefore: number): string {
  return code === "CSV_MAX_RECORD_SIZE"
    ? formatRowTooLong(rowsBefore + 1, MAX_ROW_CHARS)
    : formatBadQuotes(rowsBefore + 1);
}
