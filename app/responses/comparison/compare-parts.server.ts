import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { exceedsDepth } from "~/platform/json-text";
import type { Outcome } from "~/platform/outcome";
import { formatCutValue } from "../messages";
import { formatStrippedFiles, parseStoredRequest } from "../request-data";
import type { StoredResponse } from "../stored-response";
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

/** What is compared of a stored response. */
type Compared = Pick<
  StoredResponse,
  "status_code" | "duration_ms" | "request_data" | "response_headers" | "response_data"
>;
type Pair = { a: Compared; b: Compared };

/** The differences of two stored responses, found in a thread of its own when they are large. */
export function compareParts(a: StoredResponse, b: StoredResponse): Promise<Outcome<ComparisonPart[]>> {
  return doHeavyWork(COMPARE_PARTS, { a: selectCompared(a), b: selectCompared(b) });
}

export const COMPARE_PARTS: HeavyJob<Pair, ComparisonPart[]> = {
  name: "responses.compare",
  run: buildParts,
  isLarge: (pair) => JSON.stringify(pair).length > LARGE_CHARS,
  notDone: "The responses were not compared.",
};

function selectCompared(response: StoredResponse): Compared {
  const { status_code, duration_ms, request_data, response_headers, response_data } = response;
  return { status_code, duration_ms, request_data, response_headers, response_data };
}

function buildParts({ a, b }: Pair): ComparisonPart[] {
  return [
    buildPart("Status and duration", diff(selectOutcome(a), selectOutcome(b))),
    // In a request nothing is volatile: an ID there is what the request is about.
    buildPart("Request", unmarkVolatile(diff(selectRequest(a), selectRequest(b)))),
    buildPart("Response headers", diff(a.response_headers ?? {}, b.response_headers ?? {})),
    buildPart("Response body", diff(a.response_data ?? null, b.response_data ?? null)),
  ];
}

function selectOutcome({ status_code, duration_ms }: Compared) {
  return { status: status_code, duration_ms };
}

function selectRequest({ request_data }: Compared): unknown {
  return formatStrippedFiles(parseStoredRequest(request_data) ?? request_data ?? null);
}

function diff(before: unknown, after: unknown): Diff {
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

function formatValue(value: unknown): string {
  const text = formatJson(value);
  return text.length <= SHOWN_CHARS ? text : formatCutValue(text.slice(0, SHOWN_CHARS), text.length);
}

function formatJson(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? "nothing";
    return exceedsDepth(text, INDENTED_DEPTH) ? text : (JSON.stringify(value, null, 1) ?? text);
  } catch (error) {
    if (error instanceof RangeError) return "This value is nested too deeply to be shown.";
    throw error;
  }
}
