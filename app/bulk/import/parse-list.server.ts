import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type CsvError, parse } from "csv-parse";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { decodeSlices, findEncoding, findOtherFile } from "./decode-text.server";
import {
  formatBadQuotes,
  formatCellTooLong,
  formatRowTooLong,
  formatSameHeader,
  formatTooManyColumns,
  formatTooManyRows,
  formatUnknownSeparator,
} from "./messages";

const EMPTY_FILE = "The file is empty.";

export interface ParsedRow {
  /** The row number of a spreadsheet: the header is 1. */
  number: number;
  /** One cell for each column of the header, then any further ones. */
  cells: string[];
  /** Why it is left out until a person takes it back. */
  leftOut?: string | null;
}

/** Receives the rows of a source in batches. */
export interface RowTaker {
  batchSize: number;
  onHeader: (columns: string[]) => void;
  /** @param done how much of the source was read */
  onRows: (rows: ParsedRow[], done: number) => Promise<Outcome<unknown>>;
}

export const MAX_ROWS = 50_000;
export const MAX_COLUMNS = 100;
export const MAX_CELL_CHARS = 5_000;
const MAX_ROW_CHARS = 100_000;
const MAX_HEADER_CHARS = 100;

/** A binary file that starts like text. */
class BinaryFileError extends Error {}

/**
 * Parses CSV with any of Excel's separators, or rows pasted from a spreadsheet. Hands the header to `onHeader` and batches of rows to
 * `onRows`, with the bytes read so far; a failure of `onRows` ends the parse. Returns the number of rows. Fails with `bad_input` and
 * the problem; some batches may have been handed over by then.
 */
export async function parseList(
  bytes: Uint8Array,
  { batchSize, onHeader, onRows }: RowTaker,
): Promise<Outcome<number>> {
  const other = findOtherFile(bytes);
  if (other !== null) return fail("bad_input", other);
  const slices = decodeSlices(bytes, findEncoding(bytes));
  const first = slices.next();
  if (first.done || (first.value.text.trim() === "" && first.value.readBytes === bytes.length)) {
    return fail("bad_input", EMPTY_FILE);
  }
  const { separator, start } = findFormat(first.value.text);
  const parser = parse({
    bom: true,
    delimiter: separator,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARS,
  });
  const read = { bytes: 0 };
  const begin = { ...first.value, text: first.value.text.slice(start) };
  const feeding = feed(parser, begin, slices, read);
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
        const taken = await onRows(batch, read.bytes);
        if (!taken.ok) return taken;
        batch = [];
      }
    }
  } catch (error) {
    if (error instanceof BinaryFileError)
      return fail("bad_input", "This is not a text file. Upload a CSV file.");
    return fail(
      "bad_input",
      (error as CsvError).code === "CSV_MAX_RECORD_SIZE"
        ? formatRowTooLong(number + 1, MAX_ROW_CHARS)
        : formatBadQuotes(number + 1),
    );
  } finally {
    parser.destroy();
    await feeding;
  }
  if (columns === null) return fail("bad_input", EMPTY_FILE);
  if (count === 0) return fail("bad_input", "The file has a header and no rows below it.");
  const taken = batch.length > 0 ? await onRows(batch, bytes.length) : succeed(null);
  return taken.ok ? succeed(count) : taken;
}

/** Writes the text into the parser in slices, no faster than its rows are taken. */
async function feed(
  parser: ReturnType<typeof parse>,
  first: { text: string; readBytes: number },
  rest: Iterable<{ text: string; readBytes: number }>,
  read: { bytes: number },
): Promise<void> {
  const closed = new Promise<void>((resolve) => parser.once("close", resolve));
  const write = async ({ text, readBytes }: { text: string; readBytes: number }) => {
    if (text.includes("\0")) return parser.destroy(new BinaryFileError());
    const taken = parser.write(text);
    read.bytes = readBytes;
    if (!taken) await Promise.race([new Promise((resolve) => parser.once("drain", resolve)), closed]);
    return yieldToEventLoop();
  };
  await write(first);
  for (const slice of rest) {
    if (parser.destroyed) return;
    await write(slice);
  }
  if (!parser.destroyed) parser.end();
}

/** Parses the column names, each once; a column without a name is named by its place. */
function parseHeader(cells: string[]): Outcome<string[]> {
  const named = dropEmptyEnd(cells, 0);
  if (named.length === 0) return fail("bad_input", "The first row is empty. It must name the columns.");
  if (named.length > MAX_COLUMNS) return fail("bad_input", formatTooManyColumns(named.length, MAX_COLUMNS));
  const separator = named.length === 1 ? findOtherSeparator(named[0] ?? "") : null;
  if (separator !== null) return fail("bad_input", formatUnknownSeparator(separator));
  const columns = named.map((name, at) => name.slice(0, MAX_HEADER_CHARS) || `Column ${at + 1}`);
  const seen = new Map<string, number>();
  for (const [at, name] of columns.entries()) {
    const first = seen.get(name.toLowerCase());
    if (first !== undefined) return fail("bad_input", formatSameHeader(name, first + 1, at + 1));
    seen.set(name.toLowerCase(), at);
  }
  return succeed(columns);
}

/** Drops the empty cells that spreadsheets add after the last column. */
function dropEmptyEnd(cells: readonly string[], columns: number): string[] {
  let end = cells.length;
  while (end > columns && cells[end - 1] === "") end -= 1;
  return [...cells.slice(0, end), ...Array(Math.max(0, columns - end)).fill("")];
}

/** Separators of spreadsheets; the first one wins a tie. */
const SEPARATORS = [",", ";", "\t", "|"] as const;

/** Characters that column names do not have. */
const OTHER_SIGN = /[^\p{L}\p{N}\p{Cc}\s"'_./&()-]/gu;

/** The separator of a file, and the offset of its first row. */
interface Format {
  separator: string;
  /** Offset after Excel's line `sep=;`. */
  start: number;
}

/** Finds the separator: from Excel's first line, else the most frequent one of the header outside of quotes. */
function findFormat(text: string): Format {
  const named = /^\uFEFF?"?sep=([^\r\n"])"?(\r\n|\r|\n|$)/i.exec(text);
  if (named) return { separator: named[1] ?? ",", start: named[0].length };
  const counts = new Map<string, number>();
  let quoted = false;
  let begun = false;
  for (const character of text) {
    const ends = character === "\n" || character === "\r";
    if (character === '"') quoted = !quoted;
    else if (ends && !quoted && begun) break;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
    begun ||= !ends;
  }
  const best = SEPARATORS.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a));
  return { separator: best, start: 0 };
}

/** Finds the likely separator of a header that was read as one column: a character that occurs twice; null without one. */
function findOtherSeparator(header: string): string | null {
  const signs: string[] = header.match(OTHER_SIGN) ?? [];
  return signs.find((sign, at) => signs.indexOf(sign) < at) ?? null;
}
