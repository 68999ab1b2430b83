import type { Viewer } from "~/people/viewer.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { listCreditUsers } from "../credit-users.server";
import { countDigits, writeMoney } from "../purchases/format-money";
import { loadSpending } from "./load-spending.server";
import { parseSpendingQuery } from "./spending.schema.server";
import { COST_UNITS, type SpentCell, sumSpent } from "./spent";

const HEADER = [
  "month",
  "user_id",
  "user",
  "mail_type",
  "pieces",
  "cancelled",
  "credits",
  "price_per_credit",
  "credits_worth",
  "currency",
  "provider_cost",
  "provider_currency",
  "pieces_without_provider_cost",
  "margin",
];

/**
 * The months of the Spending view as a CSV file, a line for each person and kind of mail. What is not known is empty.
 * Fails with `bad_input`, or as the database does, before anything is written.
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
  const { cells, terms, priceOf } = spending.value;
  const money = (amount: number | null) =>
    amount === null || terms.currency === null ? null : Number(writeMoney(amount, terms.currency));
  const toCells = (cell: SpentCell) => {
    const { worth, margin, unpriced } = sumSpent([cell], priceOf, terms);
    const price = priceOf(cell);
    return [
      cell.month,
      cell.userId,
      names.get(cell.userId) ?? cell.userId,
      cell.kind,
      cell.pieces,
      cell.cancelled,
      cell.credits,
      price && Number((price.perCredit / 10 ** countDigits(price.currency)).toFixed(6)),
      money(worth),
      terms.currency?.toUpperCase() ?? null,
      unpriced === cell.pieces - cell.cancelled && unpriced > 0 ? null : cell.costUnits / COST_UNITS,
      terms.providerCurrency?.toUpperCase() ?? null,
      unpriced,
      money(margin),
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
