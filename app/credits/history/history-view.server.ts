import { type Outcome, succeed } from "~/platform/outcome";
import type { UserChoice } from "../credit-user";
import type { HistoryView } from "../credits-view";
import { toTransactionRow } from "./transaction-row";
import { parseTransactionQuery } from "./transactions.schema.server";
import { listTransactions } from "./transactions.server";

const FILTERS = ["user_id", "type", "from", "to", "q"] as const;

/**
 * The history for the filter in an address. A filter that is not valid becomes `problem`, and the form keeps it.
 * Fails with `not_configured` or `database_unavailable`.
 */
export async function loadHistory(
  parameters: URLSearchParams,
  users: UserChoice[],
  now: Date,
): Promise<Outcome<HistoryView>> {
  const given = FILTERS.map((name) => [name, parameters.get(name) ?? ""] as const);
  const kept = new URLSearchParams(given.filter(([, value]) => value !== "").map(([...pair]) => pair));
  const filter = Object.fromEntries(given) as HistoryView["filter"];
  const view: HistoryView = {
    name: "history",
    users,
    filter,
    filtered: kept.size > 0,
    problem: null,
    transactions: [],
    older: null,
    newest: parameters.has("cursor") ? buildAddress(kept) : null,
    csv: `/users/history.csv?${kept}`,
  };
  const query = parseTransactionQuery(parameters);
  if (!query.ok) return succeed({ ...view, problem: query.failure.message });
  const page = await listTransactions(query.value);
  if (!page.ok) {
    return page.failure.code === "not_found" ? succeed({ ...view, problem: page.failure.message }) : page;
  }
  const { transactions, nextCursor } = page.value;
  return succeed({
    ...view,
    transactions: transactions.map((transaction) => toTransactionRow(transaction, now)),
    older: nextCursor === null ? null : buildAddress(kept, nextCursor),
  });
}

function buildAddress(filter: URLSearchParams, cursor?: string): string {
  const parameters = new URLSearchParams({ view: "history", ...Object.fromEntries(filter) });
  if (cursor !== undefined) parameters.set("cursor", cursor);
  return `/users?${parameters}`;
}
