import { fail, type Outcome, succeed } from "~/platform/outcome";
import { findResponse } from "../search/list-responses.server";
import type { StoredResponse } from "../stored-response";
import { toResponseRow } from "../tab/stored-view.server";
import { compareParts } from "./compare-parts.server";
import type { Comparison } from "./comparison";

/**
 * The differences between two stored responses, in request and response: what became of the older one.
 * Fails with `not_found`, with `too_complex`, or as the database does.
 */
export async function compareResponses(idA: string, idB: string): Promise<Outcome<Comparison>> {
  const [a, b] = await Promise.all([findResponse(idA), findResponse(idB)]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if (!a.value || !b.value) {
    const gone = a.value ? idB : idA;
    return fail("not_found", formatNothingToCompare(gone));
  }
  const pair = [a.value, b.value].sort((one, other) => one.created_at.localeCompare(other.created_at));
  const [older, newer] = pair as [StoredResponse, StoredResponse];
  const parts = await compareParts(older, newer);
  if (!parts.ok) return parts;
  const now = new Date();
  return succeed({ a: toResponseRow(older, now), b: toResponseRow(newer, now), parts: parts.value });
}

function formatNothingToCompare(id: string): string {
  return `There is no stored response ${id}. It may have been deleted.`;
}
