import { succeed, type ValueOf } from "~/platform/outcome";
import { listDays } from "~/platform/time";
import { buildAddress } from "~/platform/url";
import type { ChartView } from "~/ui/chart/chart";
import { formatDay, formatMonth } from "~/ui/moment";
import type { UserChoice } from "../credit-users.server";
import { formatCredits } from "../format-credits";
import { countDigits, formatCost, formatMoney } from "../purchases/format-money";
import { chartSpend, fillDays, type SpendDay } from "./spend-per-day.server";
import { loadSpending, parseSpendingQuery, type Spending } from "./spending.server";
import { addMonths, daysOf, findMoney, monthOf, type SpentCell, type SpentTotals, sumSpent } from "./spent";

const KIND_WORDS = { letter: "Letters", postcard: "Postcards" } as const;

/** The months with one of them in detail, or the reason why the address is not valid. */
export type SpendingView = ValueOf<typeof loadSpendingView>;
export type SpendingLine = ReturnType<typeof toLine>;

export async function loadSpendingView(parameters: URLSearchParams, users: UserChoice[], now: Date) {
  const query = parseSpendingQuery(parameters);
  if (!query.ok) return succeed({ name: "spending" as const, problem: query.failure.message });
  const { userId } = query.value;
  const loaded = await loadSpending(query.value, now);
  if (!loaded.ok) return loaded;
  const spending = loaded.value;
  const { months, hasEarlier, month, cells, terms } = spending;
  const address = (one: string, until = one) =>
    buildAddress("/users", { view: "spending", month: one, until, user_id: userId });
  const [last = month] = months;
  const [after, latest] = [addMonths(last, 12), monthOf(now)];
  return succeed({
    name: "spending" as const,
    problem: null,
    users,
    userId: userId ?? "",
    months: months.map((one) => {
      const own = cells.filter((cell) => cell.month === one);
      const line = toLine(own, spending, { month: one, userId, kind: null });
      return { month: one, name: formatMonth(one), to: address(one, last), shown: one === month, ...line };
    }),
    earlier: hasEarlier ? address(addMonths(last, -12)) : null,
    later: last < latest ? address(after < latest ? after : latest) : null,
    month: toMonth(spending, users, userId),
    csv: buildAddress("/users/spending.csv", { until: last, user_id: userId }),
    /** True when the currency of the provider's prices is known. */
    knowsCurrency: terms.providerCurrency !== null,
  });
}

function toMonth(spending: Spending, users: UserChoice[], userId: string | null) {
  const { month, cells, bought, terms } = spending;
  const own = cells.filter((cell) => cell.month === month);
  const order = new Map(users.map(({ id, displayName }, index) => [id, { index, displayName }]));
  const place = (cell: SpentCell) => order.get(cell.userId)?.index ?? users.length;
  const { from, to } = daysOf(month);
  const purchases = bought.filter((cell) => cell.month === month);
  const paid = purchases.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  const credits = purchases.reduce((sum, cell) => sum + cell.credits, 0);
  const price = terms.currency === null ? "" : ` for ${formatMoney(paid, terms.currency)}`;
  const filter = { view: "history", type: "purchase", from, to, user_id: userId };
  return {
    month,
    name: formatMonth(month),
    lines: own
      .toSorted((a, b) => place(a) - place(b) || a.kind.localeCompare(b.kind))
      .map((cell) => ({
        key: `${cell.userId} ${cell.kind}`,
        userId: cell.userId,
        user: order.get(cell.userId)?.displayName ?? cell.userId,
        kind: KIND_WORDS[cell.kind],
        ...toLine([cell], spending, cell),
      })),
    total: toLine(own, spending, { month, userId, kind: null }),
    bought:
      credits === 0 ? null : { text: formatCredits(credits) + price, to: buildAddress("/users", filter) },
    days: toDays(spending),
  };
}

function toLine(
  cells: readonly SpentCell[],
  spending: Spending,
  { month, userId, kind }: { month: string; userId: string | null; kind: SpentCell["kind"] | null },
) {
  const totals = sumSpent(cells);
  const { from, to } = daysOf(month);
  const toMail = (status: string) =>
    userId === null ? null : buildAddress("/mail", { user_id: userId, type: kind, from, to, status });
  return {
    pieces: totals.pieces,
    cancelled: totals.cancelled,
    credits: totals.credits,
    byHand: totals.byHand,
    unpriced: totals.unpriced,
    ...writeMoneyOf(totals, spending),
    /** Null for several people, who have no list. */
    piecesTo: toMail("mailed"),
    cancelledTo: toMail("cancelled"),
  };
}

function writeMoneyOf(totals: SpentTotals, { terms }: Spending) {
  const { currency, providerCurrency } = terms;
  const money = findMoney(totals, terms);
  const digits = providerCurrency === null ? 2 : countDigits(providerCurrency);
  const inMoney = (amount: number | null, moreDigits = 0) =>
    amount === null || currency === null ? null : formatMoney(amount, currency, moreDigits);
  return {
    cost: money.cost === null ? null : formatCost(money.cost / 10 ** digits, providerCurrency),
    perCredit: inMoney(money.perCredit, Math.max(0, 4 - countDigits(currency ?? "usd"))),
    worth: inMoney(money.worth),
    margin: inMoney(money.margin),
  };
}

function toDays({ month, days }: Spending): ChartView {
  const last = new Date(daysOf(month).to);
  const rows = fillDays(listDays(last.getUTCDate(), last), days);
  const spentOn = ({ letters, postcards }: SpendDay) => letters + postcards;
  const total = rows.reduce((sum, row) => sum + spentOn(row), 0);
  const top = rows.toSorted((a, b) => spentOn(b) - spentOn(a))[0];
  const answer =
    total === 0 || !top
      ? "No credits were spent."
      : `${formatCredits(total)} in all, most of them on ${formatDay(top.day)}: ${spentOn(top)}.`;
  return chartSpend(`On which days of ${formatMonth(month)} were credits spent?`, answer, rows);
}
