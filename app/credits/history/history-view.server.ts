import { type Outcome, succeed } from "~/platform/outcome";
import type { HistoryView, UserChoice } from "../credits-view";
import { toTransactionRow } from "./transaction-row";
import { parseTransactionQuery } from "./transactions.schema.server";
import { listTransactions } from "./transactions.server";

const FILTERS = ["user_id", "type", "from", "to", "q"] as const;

/**
 * The history that an address asks for; one that cannot be applied is a `problem` beside the form as it was.
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
    newest: parameters.has("cursor") ? address(kept) : null,
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
    older: nextCursor === null ? null : address(kept, nextCursor),
  });
}

function address(filter: URLSearchParams, cursor?: string): string {
  const parameters = new URLSearchParams({ view: "history", ...Object.fromEntries(filter) });
  if (cursor !== undefined) parameters.set("cursor", cursor);
  return `/users?${parameters}`;
}
