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
  /** Address of the purchase's page; null for other rows. */
  purchaseTo: string | null;
  at: FormattedMoment;
}

export interface OverviewView {
  name: "overview";
  /** Open alarms of all users. */
  openAlarms: number;
  /** "" when there is no search. */
  search: string;
  users: UserRow[];
  /** Number of users that match; `users` has the first of them. */
  matches: number;
  totals: { available: number; held: number; spent: number; users: number };
  /** Users with a low balance, the lowest first, and the user to buy for. */
  low: { userId: string; names: string[]; allEmpty: boolean } | null;
  /** Credits spent on each of the last days. */
  spend: ChartView;
}

export interface ManageView {
  name: "manage";
  /** True for admins. */
  mayAdjust: boolean;
  users: UserChoice[];
  userId: string;
  /** Idempotency key, so that posting the form twice adjusts once. */
  formKey: string;
  /** Null when it could not be loaded. */
  recent: TransactionRow[] | null;
}

export interface HistoryView {
  name: "history";
  users: UserChoice[];
  /** The filter as in the address. */
  filter: { user_id: string; type: string; from: string; to: string; q: string };
  filtered: boolean;
  /** Why the filter is not valid. */
  problem: string | null;
  transactions: TransactionRow[];
  /** Addresses of the older page, the newest page and the CSV file. */
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
  /** ID of the parked draft to return to after the payment, or "". */
  draft: string;
  /** The list that credits are bought for, and the credits missing to start it. */
  list: { id: string; name: string; missing: number } | null;
}

export interface CreditsView {
  name: CreditViewName;
  signedIn: boolean;
  /** Why there is no `content`. */
  failure: Failure | null;
  content: OverviewView | SpendingView | ManageView | HistoryView | PurchaseView | null;
  flash: { tone: "ok" | "bad" | "info"; message: string } | null;
  /** True while a payment is being confirmed: the page reloads until it is settled. */
  confirming: boolean;
}

/** Shows a refused form again when the rest of its view could not be loaded. */
export function buildEmptyFormView({ form, formKey }: PostedForm): ManageView | PurchaseView | null {
  const noUsers = { users: [], userId: "" };
  if (form === "adjust")
    return { name: "manage", mayAdjust: true, ...noUsers, formKey: formKey ?? "", recent: null };
  if (form === "purchase") return { name: "purchase", ...noUsers, configured: true, draft: "", list: null };
  return null;
}

/** A refused form with its values. */
export interface PostedForm {
  form: "new_user" | "adjust" | "purchase";
  result: SubmissionResult;
  /** The idempotency key to post again; null for a form without one. */
  formKey: string | null;
}
