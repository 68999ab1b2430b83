import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import { isAdmin, mayActFor, type Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { type Failure, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { buildAddress } from "~/platform/url";
import { listCreditUsers, type UserChoice } from "./credit-users.server";
import { parseTransactionQuery } from "./history/transactions.schema.server";
import { listTransactions, type TransactionRow, toTransactionRow } from "./history/transactions.server";
import { loadAccount } from "./ledger/ledger.server";
import { loadOverview, type OverviewView } from "./overview/load-overview.server";
import { loadSpendingView, type SpendingView } from "./spending/spending-view.server";

/** The subtabs, as `?view=` names them. */
const CREDIT_VIEWS = ["overview", "spending", "purchase", "manage", "history"] as const;
const RECENT_ROWS = 12;

export type ManageView = ValueOf<typeof loadManage>;
export type PurchaseView = ValueOf<typeof loadPurchaseView>;
export type HistoryView = ValueOf<typeof loadHistory>;

export interface CreditsView {
  name: (typeof CREDIT_VIEWS)[number];
  signedIn: boolean;
  /** Why there is no `content`. */
  failure: Failure | null;
  content: OverviewView | SpendingView | ManageView | HistoryView | PurchaseView | null;
  flash: { tone: "ok" | "bad" | "info"; message: string } | null;
  /** True while a payment is being confirmed: the page reloads until it is settled. */
  confirming: boolean;
}

/** Loads the User Credits tab for an address, also without a viewer or a database. */
export async function loadCreditsView(
  request: Request,
  viewer: Viewer | null,
): Promise<Pick<CreditsView, "name" | "signedIn" | "failure" | "content">> {
  const { searchParams } = new URL(request.url);
  const name = CREDIT_VIEWS.find((known) => known === searchParams.get("view")) ?? "overview";
  if (!viewer) return { name, signedIn: false, failure: null, content: null };
  const content = await loadContent(name, request, searchParams, viewer);
  return content.ok
    ? { name, signedIn: true, failure: null, content: content.value }
    : { name, signedIn: true, failure: content.failure, content: null };
}

async function loadContent(
  name: CreditsView["name"],
  request: Request,
  parameters: URLSearchParams,
  viewer: Viewer,
): Promise<Outcome<NonNullable<CreditsView["content"]>>> {
  const now = new Date();
  if (name === "overview") return loadOverview(viewer, (parameters.get("q") ?? "").trim(), now);
  const users = await listCreditUsers(viewer);
  if (!users.ok) return users;
  const choices = users.value.map(({ id, displayName, username, isViewer, balance }) => {
    return { id, displayName, username, isViewer, balance };
  });
  if (name === "spending") return loadSpendingView(parameters, choices, now);
  if (name === "history") return loadHistory(parameters, choices, now);
  if (name === "manage") return loadManage(parameters, choices, viewer, now);
  const payees = choices.filter(({ id }) => mayActFor(viewer, id));
  return loadPurchaseView(parameters, payees, (await parsePreferences(request)).userId);
}

async function loadManage(parameters: URLSearchParams, users: UserChoice[], viewer: Viewer, now: Date) {
  const recent = await listTransactions({ filter: { cause: "adjustment" }, cursor: null });
  if (!recent.ok) return recent;
  const rows = recent.value.transactions.slice(0, RECENT_ROWS);
  return succeed({
    name: "manage" as const,
    mayAdjust: isAdmin(viewer) && viewer.scopes.includes("credits"),
    users,
    userId: users.find(({ id }) => id === parameters.get("user_id"))?.id ?? "",
    /** Idempotency key, so that posting the form twice adjusts once. */
    formKey: randomUUID() as string,
    /** Null when it could not be loaded. */
    recent: rows.map((row) => toTransactionRow(row, now)) as TransactionRow[] | null,
  });
}

/** Loads the purchase form for the user in the address, else for the current user of the console, else for the viewer. */
async function loadPurchaseView(
  parameters: URLSearchParams,
  users: UserChoice[],
  rememberedId: string | undefined,
) {
  const list = await findUnpaidList(parameters.get("list") ?? "");
  if (!list.ok) return list;
  const wanted = [parameters.get("user_id"), rememberedId, users[0]?.id];
  return succeed({
    name: "purchase" as const,
    users,
    userId: wanted.find((wantedId) => users.some(({ id }) => id === wantedId)) ?? "",
    configured: env().stripe !== null,
    /** ID of the parked draft to return to after the payment, or "". */
    draft: parameters.get("draft") ?? "",
    list: list.value,
  });
}

/** Finds a list and the credits that its payer lacks for its ready rows; null when there is none. */
async function findUnpaidList(id: string) {
  if (!/^[\w-]{1,64}$/.test(id)) return succeed(null);
  return withDatabase(async (db) => {
    const [list] = await db.$queryRaw<
      { name: string; userId: string; mailType: keyof typeof MAIL_PRICES; ready: number }[]
    >`
      SELECT l.name, l.user_id AS "userId", l.mail_type AS "mailType",
        (SELECT count(*)::int FROM bulk_rows r WHERE r.list_id = l.id AND r.state = 'ready') AS ready
      FROM bulk_lists l WHERE l.id = ${id}`;
    if (!list) return null;
    const { balance, held } = await loadAccount(db, list.userId);
    const missing = list.ready * MAIL_PRICES[list.mailType] - (balance - held);
    return { id, name: list.name, missing: Math.max(0, missing) };
  });
}

const FILTERS = ["user_id", "type", "from", "to", "q"] as const;

/** Loads the history for the filter in an address. An invalid filter becomes `problem`, and the form keeps it. */
async function loadHistory(parameters: URLSearchParams, users: UserChoice[], now: Date) {
  const fields = FILTERS.map((name) => [name, parameters.get(name) ?? ""]);
  const filter = Object.fromEntries(fields) as Record<(typeof FILTERS)[number], string>;
  const toAddress = (cursor: string | null) => buildAddress("/users", { view: "history", ...filter, cursor });
  const view = {
    name: "history" as const,
    users,
    filter,
    filtered: Object.values(filter).some(Boolean),
    newest: parameters.has("cursor") ? toAddress(null) : null,
    csv: buildAddress("/users/history.csv", filter),
  };
  const refuse = (problem: string) => succeed({ ...view, problem, transactions: [], older: null });
  const query = parseTransactionQuery(parameters);
  if (!query.ok) return refuse(query.failure.message);
  const page = await listTransactions(query.value);
  if (!page.ok) return page.failure.code === "not_found" ? refuse(page.failure.message) : page;
  const { transactions, nextCursor } = page.value;
  return succeed({
    ...view,
    problem: null,
    transactions: transactions.map((transaction) => toTransactionRow(transaction, now)),
    older: nextCursor === null ? null : toAddress(nextCursor),
  });
}
