import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type CsvError, parse } from "csv-parse";
import { formatInteger } from "~/platform/format-integer";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";

export interface ParsedRow {
  /** The row number of a spreadsheet: the header is 1. */
  number: number;
  /** One cell for each column of the header, then any further ones. */
  cells: string[];
  /** Why it is left out until a person takes it back. */
  leftOut?: string | null;
}

type RowBatch = { columns: string[]; rows: ParsedRow[]; done: number };

/** Rows of a file, a group or another list. Ends after a failure, and fails with `bad_input` without rows. */
export type RowSource = AsyncGenerator<Outcome<RowBatch>>;

/** Rows handed over at a time, so that other requests are served in between. */
export const BATCH_ROWS = 250;
export const MAX_COLUMNS = 100;
export const MAX_CELL_CHARS = 5_000;
const MAX_ROWS = 50_000;
const MAX_ROW_CHARS = 100_000;
const MAX_HEADER_CHARS = 100;
const SLICE_CHARS = 64 * 1024;

const EMPTY_FILE = "The file is empty.";

/** Parses CSV with any of Excel's separators, or rows pasted from a spreadsheet. Fails with `bad_input` and the problem. */
export async function* parseList(bytes: Uint8Array): RowSource {
  const other =
    OTHER_FILES.find(({ starts }) => starts.every((byte, at) => bytes[at] === byte))?.problem ?? null;
  if (other !== null) return yield refuse(other);
  const text = decodeText(bytes);
  if (text.trim() === "") return yield refuse(EMPTY_FILE);
  if (text.includes("\0")) return yield refuse("This is not a text file. Upload a CSV file.");
  const { separator, start } = findFormat(text);
  const progress = { done: 0 };
  const parser = Readable.from(slice(text, start, progress), { highWaterMark: 1 }).pipe(
    parse({
      delimiter: separator,
      relax_column_count: true,
      max_record_size: MAX_ROW_CHARS,
    }),
  );
  let columns: string[] | null = null;
  let rows: ParsedRow[] = [];
  let count = 0;
  let number = 0;
  try {
    for await (const record of parser) {
      const cells = (record as string[]).map((cell) => cell.trim());
      number += 1;
      if (columns === null) {
        if (cells.length === 1 && cells[0] === "") continue;
        const header = parseHeader(cells);
        if (!header.ok) return yield header;
        columns = header.value;
        continue;
      }
      const trimmed = dropEmptyEnd(cells, columns.length);
      if (trimmed.every((cell) => cell === "")) continue;
      const problem = findLongCell(number, trimmed, columns) ?? findTooManyRows(++count);
      if (problem !== null) return yield refuse(problem);
      rows.push({ number, cells: trimmed });
      if (rows.length < BATCH_ROWS) continue;
      yield succeed({ columns, rows, ...progress });
      rows = [];
    }
  } catch (error) {
    const { code, records } = error as CsvError;
    // The parser is ahead of the rows that were read here.
    const row = formatInteger(Number(records) + 1);
    const problem =
      code === "CSV_MAX_RECORD_SIZE"
        ? `Row ${row} has more than ${formatInteger(MAX_ROW_CHARS)} characters. A closing quotation mark may be missing.`
        : `Row ${row} has a quotation mark in the wrong place. A cell that begins with one ends with one; inside it, each is written twice.`;
    return yield refuse(problem);
  }
  if (columns === null) return yield refuse(EMPTY_FILE);
  if (count === 0) return yield refuse("The file has a header and no rows below it.");
  if (rows.length > 0) yield succeed({ columns, rows, done: 1 });
}

/** Cuts a text into slices, and serves other requests in between. A character of two units, such as an emoji, is not cut. */
async function* slice(text: string, start: number, progress: { done: number }): AsyncGenerator<string> {
  for (let at = start; at < text.length; ) {
    const end = at + SLICE_CHARS + ((text.codePointAt(at + SLICE_CHARS - 1) ?? 0) > 0xffff ? 1 : 0);
    yield text.slice(at, end);
    progress.done = Math.min(1, end / text.length);
    at = end;
    await yieldToEventLoop();
  }
}

export function findTooManyRows(count: number): string | null {
  if (count <= MAX_ROWS) return null;
  return `There are more than ${formatInteger(MAX_ROWS)} rows. Split them into several lists.`;
}

export function findLongCell(row: number, cells: readonly string[], columns: readonly string[]) {
  const at = cells.findIndex((cell) => cell.length > MAX_CELL_CHARS);
  if (at < 0) return null;
  const chars = formatInteger(cells[at]?.length ?? 0);
  return `Row ${formatInteger(row)}, column "${columns[at] ?? `column ${at + 1}`}" has ${chars} characters; a cell may have ${formatInteger(MAX_CELL_CHARS)}.`;
}

/** Parses the column names, each once; a column without a name is named by its place. */
function parseHeader(cells: string[]): Outcome<string[]> {
  const named = dropEmptyEnd(cells, 0);
  if (named.length === 0) return refuse("The first row is empty. It must name the columns.");
  if (named.length > MAX_COLUMNS) {
    return refuse(
      `The file has ${formatInteger(named.length)} columns; a list may have ${MAX_COLUMNS}. Remove those you do not need.`,
    );
  }
  const separator = named.length === 1 ? findOtherSeparator(named[0] ?? "") : null;
  if (separator !== null) {
    return refuse(
      `The columns seem to be separated by ${separator}. Save the file with commas, or write sep=${separator} as its first line.`,
    );
  }
  const columns = named.map((name, at) => name.slice(0, MAX_HEADER_CHARS) || `Column ${at + 1}`);
  const lower = columns.map((name) => name.toLowerCase());
  const again = lower.findIndex((name, at) => lower.indexOf(name) < at);
  if (again < 0) return succeed(columns);
  const first = lower.indexOf(lower[again] ?? "");
  return refuse(
    `Columns ${first + 1} and ${again + 1} are both named "${columns[again]}". Rename one of them.`,
  );
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

/** Finds the separator, from Excel's first line `sep=;` or else the most frequent one of the header outside of quotes, and its first row. */
function findFormat(text: string): { separator: string; start: number } {
  const named = /^"?sep=([^\r\n"])"?(\r\n|\r|\n|$)/i.exec(text);
  if (named) return { separator: named[1] ?? ",", start: named[0].length };
  const [header = ""] = /^[\r\n]*(?:"[^"]*"|[^"\r\n]+)*/.exec(text.slice(0, SLICE_CHARS)) ?? [];
  const bare = header.replace(/"[^"]*"/g, "");
  const countOf = (separator: string) => bare.split(separator).length;
  return { separator: SEPARATORS.reduce((a, b) => (countOf(b) > countOf(a) ? b : a)), start: 0 };
}

/** Finds the likely separator of a header that was read as one column: a character that occurs twice; null without one. */
function findOtherSeparator(header: string): string | null {
  const signs: string[] = header.match(OTHER_SIGN) ?? [];
  return signs.find((sign, at) => signs.indexOf(sign) < at) ?? null;
}

function refuse(problem: string): Failed {
  return fail("bad_input", problem);
}

const WORKBOOK_FILE =
  "This is an Excel workbook. In Excel choose Save As, then CSV UTF-8, and upload that file.";

/** First bytes of files that people upload by mistake. */
const OTHER_FILES: readonly { starts: readonly number[]; problem: string }[] = [
  { starts: [0x50, 0x4b, 0x03, 0x04], problem: WORKBOOK_FILE },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], problem: WORKBOOK_FILE },
  { starts: [0x25, 0x50, 0x44, 0x46], problem: "This is a PDF. Upload a CSV file." },
];
/** Bytes inspected to detect UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4_096;
/** Windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. Node 20 decodes it as Latin-1. */
const WINDOWS_SIGNS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Decodes UTF-8, UTF-16 with or without a byte order mark, else Windows-1252. Drops the byte order mark. */
function decodeText(bytes: Uint8Array): string {
  const encoding = findWideEncoding(bytes) ?? (isUtf8(bytes) ? "utf-8" : null);
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes);
  const latin = Buffer.from(bytes).toString("latin1");
  return latin.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_SIGNS.charAt(sign.charCodeAt(0) - 0x80));
}

/** Detects UTF-16 by its byte order mark, or by the zeros in nearly every second byte of Western text. */
function findWideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.filter((byte) => byte === 0).length;
  const odd = sample.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  if (zeros <= sample.length / 4) return null;
  if (odd === zeros) return "utf-16le";
  return odd === 0 ? "utf-16be" : null;
}
