import type { Viewer } from "~/people/viewer.server";
import { streamColumns } from "~/platform/http/csv-stream.server";
import { succeed } from "~/platform/outcome";
import { loadBatches } from "~/platform/page-cursor";
import { listCreditUsers } from "../credit-users.server";
import { countDigits, writeMoney } from "../purchases/format-money";
import { loadSpending, parseSpendingQuery } from "./spending.server";
import { findMoney, type SpentCell, type SpentMoney } from "./spent";

type Line = Omit<SpentCell, keyof SpentMoney> & SpentMoney;

/** Streams the months of the Spending view as CSV, a line for each person and kind of mail. Unknown figures are empty. */
export async function streamSpendingCsv(parameters: URLSearchParams, viewer: Viewer) {
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
  const columns: Record<string, (line: Line) => string | number | null> = {
    // A day, because spreadsheets parse it as a date.
    month: ({ month }) => `${month}-01`,
    user_id: ({ userId }) => userId,
    user: ({ userId }) => names.get(userId) ?? userId,
    mail_type: ({ kind }) => kind,
    pieces: ({ pieces }) => pieces,
    cancelled: ({ cancelled }) => cancelled,
    credits: ({ credits }) => credits,
    credits_added_by_hand: ({ byHand }) => byHand,
    price_per_credit: ({ perCredit }) =>
      perCredit && currency && Number((perCredit / 10 ** countDigits(currency)).toFixed(6)),
    credits_worth: ({ worth }) => money(worth, currency),
    currency: () => currency?.toUpperCase() ?? null,
    provider_cost: ({ cost }) => money(cost, providerCurrency),
    provider_currency: () => providerCurrency?.toUpperCase() ?? null,
    pieces_without_provider_cost: ({ unpriced }) => unpriced,
    margin: ({ margin }) => money(margin, currency),
  };
  const sorted = cells.toSorted(
    (a, b) =>
      b.month.localeCompare(a.month) || a.userId.localeCompare(b.userId) || a.kind.localeCompare(b.kind),
  );
  const lines = sorted.map((cell) => ({ ...cell, ...findMoney(cell, terms) }));
  const batches = loadBatches<Line>(async (last) => succeed(last === null ? lines : []));
  return streamColumns(columns, batches);
}
