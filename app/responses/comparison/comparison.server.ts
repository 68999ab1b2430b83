import { fail, succeed, type ValueOf } from "~/platform/outcome";
import { isEmptied, type ResponseRow } from "../response-row.server";
import { findResponseRow } from "../search/find-response.server";
import { toResponseView } from "../tab/stored-view.server";
import { compareParts } from "./compare-parts.server";

export type Comparison = ValueOf<typeof compareResponses>;

/**
 * Compares the requests and answers of two stored responses, the older one first.
 * Fails with `not_found`, with `too_complex`, or as the database does.
 */
export async function compareResponses(idA: string, idB: string) {
  const [a, b] = await Promise.all([findResponseRow(idA), findResponseRow(idB)]);
  if (!a.ok) return a;
  if (!b.ok) return b;
  if (!a.value || !b.value) {
    const gone = a.value ? idB : idA;
    return fail("not_found", `There is no stored response ${gone}. It may have been deleted.`);
  }
  const emptied = [a.value, b.value].find(isEmptied);
  if (emptied) {
    const reason = `the bodies of ${emptied.id} were erased or have expired`;
    return fail("not_found", `The responses cannot be compared: ${reason}.`);
  }
  const pair = [a.value, b.value].sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
  const [older, newer] = pair as [ResponseRow, ResponseRow];
  const parts = await compareParts(older, newer);
  if (!parts.ok) return parts;
  const now = new Date();
  return succeed({ a: toResponseView(older, now), b: toResponseView(newer, now), parts: parts.value });
}
