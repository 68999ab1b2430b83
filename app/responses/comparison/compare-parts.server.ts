import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { exceedsDepth } from "~/platform/json-text";
import type { Outcome } from "~/platform/outcome";
import { type ExactJson, JsonNumber, JsonObject, parseExact, writeExact } from "~/ui/json/exact-json";
import { formatCutValue, formatStrippedFile } from "../messages";
import type { ResponseRow } from "../response-row.server";
import type { ComparisonPart, ComparisonRow } from "./comparison";
import { type Diff, type DiffRow, diffJson } from "./json-diff";

/** Limits of what a part shows of differences, and of what is the same. */
const SHOWN_ROWS = 500;
const SHOWN_PART_CHARS = 200_000;
/** Of one value. */
const SHOWN_CHARS = 600;
/** Deeper values are written in one line: their indents would be longer than they are. */
const INDENTED_DEPTH = 64;
/** Of both as JSON text. Above it a comparison takes longer than a hop to another thread. */
const LARGE_CHARS = 100_000;

/** The compared parts of a stored response: its bodies as JSON texts. */
type Compared = Pick<
  ResponseRow,
  "status_code" | "duration_ms" | "request_data" | "response_headers" | "response_data"
>;
type Pair = { a: Compared; b: Compared };

/** The differences of two stored responses, found in a thread of its own when they are large. */
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
  return [
    buildPart("Status and duration", diff(outcomeA, outcomeB)),
    // In a request nothing is volatile: an ID there is what the request is about.
    buildPart("Request", unmarkVolatile(diff(requestA, requestB))),
    buildPart("Response headers", diff(parse(a.response_headers ?? "{}"), parse(b.response_headers ?? "{}"))),
    buildPart("Response body", diff(parse(a.response_data), parse(b.response_data))),
  ];
}

function parse(text: string | null | undefined): ExactJson {
  return parseExact(text ?? "null") ?? text ?? null;
}

/** A copy of the value in which a sentence replaces each stripped file. */
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

function unmarkVolatile({ rows, hidden }: Diff): Diff {
  return { rows: rows.map((row) => ({ ...row, volatile: false })), hidden };
}

function buildPart(title: string, { rows, hidden }: Diff): ComparisonPart {
  const different = takeRows(rows.filter((row) => !isSame(row)));
  const same = takeRows(rows.filter(isSame));
  return {
    title,
    rows: different.rows,
    same: same.rows,
    hidden: { rows: hidden.different + different.left, same: hidden.same + same.left },
  };
}

/** The first rows that are {@link SHOWN_PART_CHARS} together, and how many are left. */
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

function isSame(row: DiffRow): boolean {
  return row.kind === "same";
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
  return text.length <= SHOWN_CHARS ? text : formatCutValue(text.slice(0, SHOWN_CHARS), text.length);
}
