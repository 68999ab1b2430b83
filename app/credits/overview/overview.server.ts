import { loadOpenAlarmCount } from "~/alarms/alarm-record.server";
import { formatUserName } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { formatMoment } from "~/ui/moment";
import { type CreditUser, classifyBalance, searchUsers, sumCredits } from "../credit-user";
import { listCreditUsers } from "../credit-users.server";
import type { OverviewView } from "../credits-view";
import { loadBalanceHistory, loadSpendPerDay } from "./spend.server";

/** More than anybody reads; the search finds the others. */
const ROWS = 200;

/** The overview of all users, or of those that `search` finds. Fails as `listCreditUsers` does. */
export async function loadOverview(
  viewer: Viewer,
  search: string,
  now: Date,
): Promise<Outcome<OverviewView>> {
  const users = await listCreditUsers(viewer);
  if (!users.ok) return users;
  const found = searchUsers(users.value, search);
  const shown = found.slice(0, ROWS);
  const [alarms, history, spend] = await Promise.all([
    loadOpenAlarmCount(),
    loadBalanceHistory(shown, undefined, now),
    loadSpendPerDay(undefined, now),
  ]);
  if (!alarms.ok) return alarms;
  if (!history.ok) return history;
  if (!spend.ok) return spend;
  return succeed({
    name: "overview",
    openAlarms: alarms.value,
    search,
    users: shown.map((user) => ({
      ...user,
      lastUpdated: user.lastUpdated && formatMoment(user.lastUpdated, now),
      history: history.value.get(user.id) ?? [],
    })),
    matches: found.length,
    totals: { ...sumCredits(users.value), users: users.value.length },
    low: findLowBalances(users.value),
    spend: spend.value,
  });
}

function findLowBalances(users: readonly CreditUser[]): OverviewView["low"] {
  const low = users.filter((user) => classifyBalance(user.balance) === "low");
  const lowest = low.toSorted((a, b) => a.balance - b.balance);
  const [first] = lowest;
  return first
    ? {
        userId: first.id,
        names: lowest.map(formatUserName),
        allEmpty: low.every((user) => user.balance === 0),
      }
    : null;
}
