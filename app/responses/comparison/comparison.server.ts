import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatNothingToCompare } from "../messages";
import { formatStrippedFiles, parseStoredRequest } from "../request-data";
import { findResponse } from "../search/list-responses.server";
import type { StoredResponse } from "../stored-response";
import { toResponseRow } from "../tab/stored-view.server";
import type { Comparison, ComparisonPart, ComparisonRow } from "./comparison";
import { type DiffRow, diffJson } from "./json-diff";

const SHOWN_ROWS = 500;
const SHOWN_CHARS = 600;

/**
 * The differences between two stored responses, in request and response.
 * Fails with `not_found`, or as the database does.
 */
export async function compareResponses(idA: string, idB: string): Promise<Outcome<Comparison>> {
  const [a, b] = await Promise.all([findResponse(idA), findResponse(idB)]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if (!a.value || !b.value) {
    const gone = a.value ? idB : idA;
    return fail("not_found", formatNothingToCompare(gone));
  }
  const now = new Date();
  return succeed({
    a: toResponseRow(a.value, now),
    b: toResponseRow(b.value, now),
    parts: [
      buildPart("Status and duration", diffJson(selectOutcome(a.value), selectOutcome(b.value))),
      // In a request nothing is volatile: an ID there is what the request is about.
      buildPart("Request", diffJson(selectRequest(a.value), selectRequest(b.value)).map(unmarkVolatile)),
      buildPart("Response headers", diffJson(a.value.response_headers ?? {}, b.value.response_headers ?? {})),
      buildPart("Response body", diffJson(a.value.response_data ?? null, b.value.response_data ?? null)),
    ],
  });
}

function selectOutcome({ status_code, duration_ms }: StoredResponse) {
  return { status: status_code, duration_ms };
}

function selectRequest({ request_data }: StoredResponse): unknown {
  return formatStrippedFiles(parseStoredRequest(request_data) ?? request_data ?? null);
}

function unmarkVolatile(row: DiffRow): DiffRow {
  return { ...row, volatile: false };
}

function buildPart(title: string, rows: readonly DiffRow[]): ComparisonPart {
  const [same, different] = [rows.filter(isSame), rows.filter((row) => !isSame(row))];
  return {
    title,
    rows: different.slice(0, SHOWN_ROWS).map(toRow),
    same: same.slice(0, SHOWN_ROWS).map(toRow),
    hidden: {
      rows: Math.max(0, different.length - SHOWN_ROWS),
      same: Math.max(0, same.length - SHOWN_ROWS),
    },
  };
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
  const text = JSON.stringify(value, null, 1) ?? "nothing";
  if (text.length <= SHOWN_CHARS) return text;
  return `${text.slice(0, SHOWN_CHARS)}… ${text.length.toLocaleString("en")} characters`;
}
