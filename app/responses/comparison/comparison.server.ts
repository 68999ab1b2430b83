import { fail, type Outcome, succeed } from "~/platform/outcome";
import { type ResponseRow, toStoredResponse } from "../response-row.server";
import { findResponseRow } from "../search/list-responses.server";
import { toResponseRow } from "../tab/stored-view.server";
import { compareParts } from "./compare-parts.server";
import type { Comparison } from "./comparison";

/**
 * The differences between two stored responses, in request and response: what became of the older one.
 * Fails with `not_found`, with `too_complex`, or as the database does.
 */
export async function compareResponses(idA: string, idB: string): Promise<Outcome<Comparison>> {
  const [a, b] = await Promise.all([findResponseRow(idA), findResponseRow(idB)]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if (!a.value || !b.value) {
    const gone = a.value ? idB : idA;
    return fail("not_found", formatNothingToCompare(gone));
  }
  const pair = [a.value, b.value].sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
  const [older, newer] = pair as [ResponseRow, ResponseRow];
  const parts = await compareParts(older, newer);
  if (!parts.ok) return parts;
  const now = new Date();
  return succeed({
    a: toResponseRow(toStoredResponse(older), now),
    b: toResponseRow(toStoredResponse(newer), now),
    parts: parts.value,
  });
}

function formatNothingToCompare(id: string): string {
  return `There is no stored response ${id}. It may have been deleted.`;
}
