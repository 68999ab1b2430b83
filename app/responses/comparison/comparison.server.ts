import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatStrippedFiles, parseStoredRequest } from "../request-data";
import { findResponse } from "../search/list-responses.server";
import type { StoredResponse } from "../stored-response";
import { toRow } from "../tab/stored-view.server";
import type { Comparison, ComparisonPart, ComparisonRow } from "./comparison";
import { type DiffRow, diffJson } from "./json-diff";

const SHOWN_ROWS = 500;
const SHOWN_CHARS = 600;

/**
 * What differs between two stored responses, in request and answer.
 * Fails with `not_found`, or as the database does.
 */
export async function compareResponses(idA: string, idB: string): Promise<Outcome<Comparison>> {
  const [a, b] = await Promise.all([findResponse(idA), findResponse(idB)]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if (!a.value || !b.value) {
    const gone = a.value ? idB : idA;
    return fail("not_found", `There is no stored response ${gone}; somebody may have deleted it.`);
  }
  const now = new Date();
  return succeed({
    a: toRow(a.value, now),
    b: toRow(b.value, now),
    parts: [
      describePart("Status and duration", diffJson(readOutcome(a.value), readOutcome(b.value))),
      // What a person asked for is never volatile: an id there is what it is about.
      describePart("Request", diffJson(readRequest(a.value), readRequest(b.value)).map(unmarkVolatile)),
      describePart(
        "Response headers",
        diffJson(a.value.response_headers ?? {}, b.value.response_headers ?? {}),
      ),
      describePart("Response body", diffJson(a.value.response_data ?? null, b.value.response_data ?? null)),
    ],
  });
}

function readOutcome({ status_code, duration_ms }: StoredResponse) {
  return { status: status_code, duration_ms };
}

function readRequest({ request_data }: StoredResponse): unknown {
  return formatStrippedFiles(parseStoredRequest(request_data) ?? request_data ?? null);
}

function unmarkVolatile(row: DiffRow): DiffRow {
  return { ...row, volatile: false };
}

function describePart(title: string, rows: readonly DiffRow[]): ComparisonPart {
  const [same, different] = [rows.filter(isSame), rows.filter((row) => !isSame(row))];
  return {
    title,
    rows: different.slice(0, SHOWN_ROWS).map(describeRow),
    same: same.slice(0, SHOWN_ROWS).map(describeRow),
    unsaid: {
      rows: Math.max(0, different.length - SHOWN_ROWS),
      same: Math.max(0, same.length - SHOWN_ROWS),
    },
  };
}

function isSame(row: DiffRow): boolean {
  return row.kind === "same";
}

function describeRow({ path, kind, before, after, volatile }: DiffRow): ComparisonRow {
  return {
    path,
    kind,
    before: kind === "added" ? null : writeValue(before),
    after: kind === "removed" ? null : writeValue(after),
    volatile,
  };
}

function writeValue(value: unknown): string {
  const text = JSON.stringify(value, null, 1) ?? "nothing";
  if (text.length <= SHOWN_CHARS) return text;
  return `${text.slice(0, SHOWN_CHARS)}… ${text.length.toLocaleString("en")} characters`;
}
