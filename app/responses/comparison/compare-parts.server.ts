import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { exceedsDepth } from "~/platform/json-text";
import type { Outcome } from "~/platform/outcome";
import { type ExactJson, JsonNumber, JsonObject, parseExact, writeExact } from "~/ui/json/exact-json";
import { formatStrippedFile } from "../messages";
import type { ResponseRow } from "../response-row.server";
import { type Diff, type DiffRow, diffJson } from "./json-diff";

/** Limits of a part, for its differences and for what is unchanged. */
const SHOWN_ROWS = 500;
const SHOWN_PART_CHARS = 200_000;
/** Limit of one value. */
const SHOWN_CHARS = 600;
/** Deeper values are written in one line: their indents would be longer than they are. */
const INDENTED_DEPTH = 64;
/** Two responses with more JSON text are compared in another thread. */
const LARGE_CHARS = 100_000;

/** A compared place, with both values as text. */
export type ComparisonRow = Omit<DiffRow, "before" | "after"> & Record<"before" | "after", string | null>;

/** A compared part of two stored responses: their request, headers or bodies. */
export interface ComparisonPart {
  title: string;
  /** The first differences, in the order of the document. */
  rows: ComparisonRow[];
  same: ComparisonRow[];
  /** Numbers of rows that are left out. */
  hidden: { rows: number; same: number };
}

/** The compared fields of a stored response: its bodies as JSON texts. */
type Compared = Pick<
  ResponseRow,
  "status_code" | "duration_ms" | "request_data" | "response_headers" | "response_data"
>;
type Pair = { a: Compared; b: Compared };

/** Compares two stored responses, in another thread when they are large. */
export function compareParts(a: Compared, b: Compared): Promise<Outcome<ComparisonPart[]>> {
  return doHeavyWork(COMPARE_PARTS, { a: selectCompared(a), b: selectCompared(b) });
}

export const COMPARE_PARTS: HeavyJob<Pair, ComparisonPart[]> = {
  name: "responses.compare",
  run: buildParts,
  isLarge: (pair) => JSON.stringify(pair).length > LARGE_CHARS,
  notDone: "The responses were not compared.",
};

function selectCompared(response: Compared): Compared {
  const { status_code, duration_ms, request_data, response_headers, response_data } = response;
  return { status_code, duration_ms, request_data, response_headers, response_data };
}

function buildParts({ a, b }: Pair): ComparisonPart[] {
  const [outcomeA, outcomeB] = [a, b].map(({ status_code, duration_ms }) =>
    parse(JSON.stringify({ status: status_code, duration_ms })),
  );
  const [requestA, requestB] = [a, b].map(({ request_data }) => nameStrippedFiles(parse(request_data)));
  const request = diff(requestA, requestB);
  return [
    buildPart("Status and duration", diff(outcomeA, outcomeB)),
    // In a request nothing is volatile: an ID names its subject.
    buildPart("Request", { ...request, rows: request.rows.map((row) => ({ ...row, volatile: false })) }),
    buildPart("Response headers", diff(parse(a.response_headers ?? "{}"), parse(b.response_headers ?? "{}"))),
    buildPart("Response body", diff(parse(a.response_data), parse(b.response_data))),
  ];
}

function parse(text: string | null | undefined): ExactJson {
  return parseExact(text ?? "null") ?? text ?? null;
}

/** Copies a value and replaces each stripped file by a sentence. */
function nameStrippedFiles(value: ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map(nameStrippedFiles);
  if (!(value instanceof JsonObject)) return value;
  const { elided, bytes, sha256 } = Object.fromEntries(value.members);
  if (elided === "base64" && bytes instanceof JsonNumber && typeof sha256 === "string") {
    return formatStrippedFile(Number(bytes.text), sha256);
  }
  return new JsonObject(value.members.map(([name, item]) => [name, nameStrippedFiles(item)]));
}

function diff(before: ExactJson = null, after: ExactJson = null): Diff {
  return diffJson(before, after, SHOWN_ROWS);
}

function buildPart(title: string, { rows, hidden }: Diff): ComparisonPart {
  const different = takeRows(rows.filter(({ kind }) => kind !== "same"));
  const same = takeRows(rows.filter(({ kind }) => kind === "same"));
  return {
    title,
    rows: different.rows,
    same: same.rows,
    hidden: { rows: hidden.different + different.left, same: hidden.same + same.left },
  };
}

/** Takes the first rows up to {@link SHOWN_PART_CHARS} characters, and counts the others. */
function takeRows(rows: readonly DiffRow[]): { rows: ComparisonRow[]; left: number } {
  const taken: ComparisonRow[] = [];
  let chars = 0;
  for (const row of rows) {
    const shown = toRow(row);
    chars += shown.path.length + (shown.before?.length ?? 0) + (shown.after?.length ?? 0);
    if (chars > SHOWN_PART_CHARS) break;
    taken.push(shown);
  }
  return { rows: taken, left: rows.length - taken.length };
}

function toRow({ path, kind, before, after, volatile }: DiffRow): ComparisonRow {
  return {
    path,
    kind,
    before: kind === "added" ? null : formatValue(before),
    after: kind === "removed" ? null : formatValue(after),
    volatile,
  };
}

function formatValue(value: ExactJson = null): string {
  const line = writeExact(value);
  const text = exceedsDepth(line, INDENTED_DEPTH) ? line : writeExact(value, " ");
  if (text.length <= SHOWN_CHARS) return text;
  return `${text.slice(0, SHOWN_CHARS)}… ${text.length.toLocaleString("en")} characters`;
}
