import type { SubmissionResult } from "@conform-to/react";
import type { Failure } from "~/platform/outcome";
import type { ChartView } from "~/ui/chart/chart-plot";
import type { FormattedMoment } from "~/ui/moment";
import type { CreditUser, UserChoice } from "./credit-user";
import type { TransactionType } from "./ledger/transaction";
import type { SpendingView } from "./spending/spending-view";

/** The subtabs of User Credits, as `?view=` names them. */
export const CREDIT_VIEWS = ["overview", "spending", "purchase", "manage", "history"] as const;
type CreditViewName = (typeof CREDIT_VIEWS)[number];

export interface UserRow extends Omit<CreditUser, "lastUpdated"> {
  lastUpdated: FormattedMoment | null;
  /** The balance at the end of each of the last 30 days. */
  history: number[];
}

export interface TransactionRow {
  id: number;
  userId: string;
  user: string;
  type: TransactionType;
  /** With its sign: "+100". */
  change: string;
  balanceAfter: number;
  description: string;
  actor: string;
  reference: string | null;
  /** Address of the page of the purchase; null for all else. */
  purchaseTo: string | null;
  at: FormattedMoment;
}

export interface OverviewView {
  name: "overview";
  /** Open alarms of all users. */
  openAlarms: number;
  /** The search text of the list of users, or "". */
  search: string;
  users: UserRow[];
  /** How many match; `users` has the first of them. */
  matches: number;
  totals: { available: number; held: number; spent: number; users: number };
  /** Names of users with a low balance, the lowest first, and whom to buy for. */
  low: { userId: string; names: string[]; allEmpty: boolean } | null;
  /** Credits spent on each of the last days. */
  spend: ChartView;
}

export interface ManageView {
  name: "manage";
  /** Only admins adjust credits. */
  mayAdjust: boolean;
  users: UserChoice[];
  userId: string;
  /** Created with the form: posting it twice adjusts once. */
  formKey: string;
  /** Null when it could not be loaded. */
  recent: TransactionRow[] | null;
}

export interface HistoryView {
  name: "history";
  users: UserChoice[];
  /** As in the address. */
  filter: { user_id: string; type: string; from: string; to: string; q: string };
  filtered: boolean;
  /** Why the filter is not valid. */
  problem: string | null;
  transactions: TransactionRow[];
  /** Parameters of the addresses of the older page, the newest page and the CSV file. */
  older: string | null;
  newest: string | null;
  csv: string;
}

export interface PurchaseView {
  name: "purchase";
  users: UserChoice[];
  userId: string;
  /** True when Stripe is configured. */
  configured: boolean;
  /** ID of the parked draft that the Builder shows again after the payment, or "". */
  draft: string;
  /** The list that credits are bought for, with what is missing to start it. */
  list: { id: string; name: string; missing: number } | null;
}

export interface CreditsView {
  name: CreditViewName;
  signedIn: boolean;
  /** Why there is no `content`. */
  failure: Failure | null;
  content: OverviewView | SpendingView | ManageView | HistoryView | PurchaseView | null;
  flash: { tone: "ok" | "bad" | "info"; message: string } | null;
  /** A payment is being confirmed: the page reloads itself until it is settled. */
  confirming: boolean;
}

/** Shows a refused form again when the rest of its view could not be loaded, because the database is down. */
export function buildEmptyFormView({ form, formKey }: PostedForm): ManageView | PurchaseView | null {
  const nobody = { users: [], userId: "" };
  if (form === "adjust")
    return { name: "manage", mayAdjust: true, ...nobody, formKey: formKey ?? "", recent: null };
  if (form === "purchase") return { name: "purchase", ...nobody, configured: true, draft: "", list: null };
  return null;
}

/** A form that was refused; it comes back with everything that was typed. */
export interface PostedForm {
  form: "new_user" | "adjust" | "purchase";
  result: SubmissionResult;
  /** The idempotency key to post it with again; null for a form without one. */
  formKey: string | null;
}
