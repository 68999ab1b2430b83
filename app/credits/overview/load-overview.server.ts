import { loadOpenAlarmCount } from "~/alarms/alarm-record.server";
import { formatUserName } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { listDays } from "~/platform/time";
import { formatMoment } from "~/ui/moment";
import {
  type CreditUser,
  classifyBalance,
  listCreditUsers,
  searchUsers,
  sumCredits,
} from "../credit-users.server";
import { formatCredits } from "../format-credits";
import { CHART_DAYS, chartSpend, loadSpendPerDay, type SpendDay } from "../spending/spend-per-day.server";

/** Limit of the overview; the search finds the others. */
const ROWS = 200;

export type OverviewView = ValueOf<typeof loadOverview>;

/** Loads the overview of the users that `search` finds. */
export async function loadOverview(viewer: Viewer, search: string, now: Date) {
  const users = await listCreditUsers(viewer);
  if (!users.ok) return users;
  const found = searchUsers(users.value, search);
  const visible = found.slice(0, ROWS);
  const [alarms, history, spend] = await Promise.all([
    loadOpenAlarmCount(),
    loadBalanceHistory(visible, now),
    loadSpendPerDay(now),
  ]);
  if (!alarms.ok) return alarms;
  if (!history.ok) return history;
  if (!spend.ok) return spend;
  return succeed({
    name: "overview" as const,
    openAlarms: alarms.value,
    search,
    users: visible.map((user) => ({
      ...user,
      level: classifyBalance(user.balance),
      lastUpdated: user.lastUpdated && formatMoment(user.lastUpdated, now),
      history: history.value.get(user.id) ?? [],
    })),
    matches: found.length,
    totals: { ...sumCredits(users.value), users: users.value.length },
    low: findLowBalances(users.value),
    spend: chartOverview(spend.value),
  });
}

function chartOverview(days: readonly SpendDay[]) {
  const sum = (kind: "letters" | "postcards") => days.reduce((total, day) => total + day[kind], 0);
  const [letters, postcards] = [sum("letters"), sum("postcards")];
  return chartSpend(
    `Spend per day, last ${days.length} days`,
    letters === 0 && postcards === 0
      ? "No credits were spent on mail in this time."
      : `${formatCredits(letters)} on letters, ${postcards} on postcards.`,
    days,
  );
}

function findLowBalances(users: readonly CreditUser[]) {
  const low = users.filter((user) => classifyBalance(user.balance) === "low");
  const lowest = low.toSorted((a, b) => a.balance - b.balance);
  const allEmpty = low.every((user) => user.balance === 0);
  return lowest[0] ? { userId: lowest[0].id, names: lowest.map(formatUserName), allEmpty } : null;
}

/** The changes of a user's balance. */
interface BalanceChanges {
  userId: string;
  /** Before the first of them. */
  before: number;
  /** At the end of each day with a change, by `2026-11-21`. */
  after: Record<string, number>;
}

/** Loads the balances at the end of each of the last 30 days, oldest first, by user id. @param users with their present balance */
export async function loadBalanceHistory(
  users: readonly { id: string; balance: number }[],
  now = new Date(),
): Promise<Outcome<Map<string, number[]>>> {
  const days = listDays(CHART_DAYS, now);
  const read = await withDatabase(
    (db) => db.$queryRaw<BalanceChanges[]>`
      SELECT user_id AS "userId", (array_agg(before ORDER BY day))[1] AS before, json_object_agg(day, after) AS after
      FROM (
        SELECT user_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
          (array_agg(balance_before ORDER BY id))[1] AS before,
          (array_agg(balance_after ORDER BY id DESC))[1] AS after
        FROM credit_transactions
        WHERE created_at >= ${new Date(`${days[0]}T00:00:00Z`)}::timestamptz
          AND user_id = ANY(${users.map(({ id }) => id)}::text[])
        GROUP BY user_id, day
      ) AS changes GROUP BY user_id`,
  );
  if (!read.ok) return read;
  const changes = new Map(read.value.map((row) => [row.userId, row]));
  return succeed(new Map(users.map(({ id, balance }) => [id, carryForward(days, changes.get(id), balance)])));
}

/** Lists the balance at the end of each day; a day without a change has that of the day before. */
function carryForward(days: readonly string[], changes: BalanceChanges | undefined, balance: number) {
  let current = changes?.before ?? balance;
  return days.map((day) => {
    current = changes?.after[day] ?? current;
    return current;
  });
}
