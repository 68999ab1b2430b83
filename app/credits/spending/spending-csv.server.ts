import type { Viewer } from "~/people/viewer.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { listCreditUsers } from "../credit-users.server";
import { countDigits, writeMoney } from "../purchases/format-money";
import { parseSpendingQuery } from "./spending.schema.server";
import { loadSpending } from "./spending.server";
import { findMoney, type SpentCell } from "./spent";

const HEADER = [
  "month",
  "user_id",
  "user",
  "mail_type",
  "pieces",
  "cancelled",
  "credits",
  "credits_added_by_hand",
  "price_per_credit",
  "credits_worth",
  "currency",
  "provider_cost",
  "provider_currency",
  "pieces_without_provider_cost",
  "margin",
];

/**
 * Streams the months of the Spending view as CSV, a line for each person and kind of mail. Unknown figures are empty. Fails with `bad_input`, or
 * as the database does, before anything is written.
 */
export async function streamSpendingCsv(
  parameters: URLSearchParams,
  viewer: Viewer,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const query = parseSpendingQuery(parameters);
  if (!query.ok) return query;
  const spending = await loadSpending(query.value, new Date());
  if (!spending.ok) return spending;
  const users = await listCreditUsers(viewer);
  if (!users.ok) return users;
  const names = new Map(users.value.map(({ id, displayName }) => [id, displayName]));
  const { cells, terms } = spending.value;
  const { currency, providerCurrency } = terms;
  const money = (amount: number | null, inCurrency: string | null) =>
    amount === null ? null : Number(writeMoney(amount, inCurrency ?? "usd"));
  const toCells = (cell: SpentCell) => {
    const { perCredit, worth, cost, margin } = findMoney(cell, terms);
    return [
      // A day, because spreadsheets parse it as a date.
      `${cell.month}-01`,
      cell.userId,
      names.get(cell.userId) ?? cell.userId,
      cell.kind,
      cell.pieces,
      cell.cancelled,
      cell.credits,
      cell.given,
      perCredit && currency && Number((perCredit / 10 ** countDigits(currency)).toFixed(6)),
      money(worth, currency),
      currency?.toUpperCase() ?? null,
      money(cost, providerCurrency),
      providerCurrency?.toUpperCase() ?? null,
      cell.unpriced,
      money(margin, currency),
    ];
  };
  const rows = cells.toSorted(
    (a, b) =>
      b.month.localeCompare(a.month) || a.userId.localeCompare(b.userId) || a.kind.localeCompare(b.kind),
  );
  return streamCsv(HEADER, once(succeed(rows)), toCells);
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
