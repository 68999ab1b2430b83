import type { UserChoice } from "./credit-user";
import type { TransactionRow } from "./history/transactions.server";

/** The subtabs of User Credits, as `?view=` names them. */
export const CREDIT_VIEWS = ["overview", "spending", "purchase", "manage", "history"] as const;

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
  values: Record<string, string>;
  /** Why it was refused; null when only its fields have problems. */
  problem: string | null;
  /** Problems of fields; each continues the label. */
  problems: Record<string, string>;
  /** The idempotency key to post again; null for a form without one. */
  formKey: string | null;
}
