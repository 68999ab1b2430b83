import { BALANCE_THRESHOLDS } from "~/catalogue/prices";

/** A user and the user's credits. */
export interface CreditUser {
  id: string;
  displayName: string;
  username: string;
  /** True for the signed-in user, shown as "You". */
  isViewer: boolean;
  balance: number;
  /** Set aside for pieces that are being sent; available is `balance - held`. */
  held: number;
  totalSpent: number;
  /** When the account last changed; null without an account. */
  lastUpdated: Date | null;
}

/** A user in the choices of a form. */
export type UserChoice = Pick<CreditUser, "id" | "displayName" | "username" | "isViewer" | "balance">;

export type BalanceLevel = "comfortable" | "middling" | "low";

/** Chooses the level of a balance: comfortable from 50 credits, low below 10. */
export function classifyBalance(balance: number): BalanceLevel {
  if (balance >= BALANCE_THRESHOLDS.comfortable) return "comfortable";
  return balance >= BALANCE_THRESHOLDS.low ? "middling" : "low";
}

/** Finds the users whose display name or username contains every word. */
export function searchUsers(users: readonly CreditUser[], words: string): CreditUser[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return users.filter((user) => {
    const text = `${user.displayName} ${user.username}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

export function sumCredits(users: readonly CreditUser[]): { available: number; held: number; spent: number } {
  const sum = { available: 0, held: 0, spent: 0 };
  for (const { balance, held, totalSpent } of users) {
    sum.available += balance - held;
    sum.held += held;
    sum.spent += totalSpent;
  }
  return sum;
}

/** Formats a user for `/api/credits`; `credits` is the balance. */
export function toWireUser(user: CreditUser) {
  return {
    id: user.id,
    display_name: user.displayName,
    username: user.username,
    ...(user.isViewer ? { isAuthenticatedUser: true } : {}),
    credits: user.balance,
    held: user.held,
    total_spent: user.totalSpent,
    last_updated: user.lastUpdated?.toISOString() ?? null,
  };
}
