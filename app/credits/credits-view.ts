import type { SubmissionResult } from "@conform-to/react";
import type { Failure } from "~/platform/outcome";
import type { MomentWords } from "~/ui/moment";
import type { CreditUser } from "./credit-user";
import type { SpendDay } from "./spend";
import type { TransactionType } from "./transaction";

/** The subtabs of User Credits (spec §2), as `?view=` names them. */
export const CREDIT_VIEWS = ["overview", "purchase", "manage", "history"] as const;
export type CreditViewName = (typeof CREDIT_VIEWS)[number];

/** A user as forms offer them. */
export type UserChoice = Pick<CreditUser, "id" | "displayName" | "username" | "isViewer" | "balance">;

export interface UserRow extends Omit<CreditUser, "lastUpdated"> {
  lastUpdated: MomentWords | null;
  /** The balance at the end of each of the last 30 days. */
  history: number[];
}

export interface TransactionRow {
  id: number;
  userId: string;
  user: string;
  type: TransactionType;
  /** With its sign. */
  change: string;
  balanceAfter: number;
  description: string;
  actor: string;
  reference: string | null;
  at: MomentWords;
}

export interface OverviewView {
  name: "overview";
  words: string;
  users: UserRow[];
  /** How many match; `users` has the first of them. */
  matches: number;
  totals: { available: number; held: number; spent: number; users: number };
  /** Names of users with a low balance, the lowest first, and whom to buy for. */
  low: { userId: string; names: string[]; allEmpty: boolean } | null;
  spend: SpendDay[];
}

export interface ManageView {
  name: "manage";
  users: UserChoice[];
  userId: string;
  /** Minted with the form: posting it twice adjusts once. */
  formKey: string;
  recent: TransactionRow[];
}

export interface HistoryView {
  name: "history";
  users: UserChoice[];
  /** As they stand in the address. */
  filter: { user_id: string; type: string; from: string; to: string; q: string };
  filtered: boolean;
  /** Why the filter cannot be applied. */
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
  /** Whether Stripe is configured. */
  configured: boolean;
  /** A kept Builder draft that waits for the payment, or "". */
  draft: string;
}

export interface CreditsView {
  name: CreditViewName;
  signedIn: boolean;
  /** Why there is no `content`. */
  failure: Failure | null;
  content: OverviewView | ManageView | HistoryView | PurchaseView | null;
  flash: { tone: "ok" | "bad" | "info"; message: string } | null;
  /** A payment is being confirmed: the page asks again by itself. */
  confirming: boolean;
}

/** A form that came back because it could not be done; nothing typed is lost. */
export interface PostedForm {
  form: "new_user" | "adjust" | "purchase";
  result: SubmissionResult;
  /** The key it was posted with, to be posted again; null where a new one is needed. */
  formKey: string | null;
}
