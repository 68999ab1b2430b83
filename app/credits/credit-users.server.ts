import { BALANCE_THRESHOLDS } from "~/catalogue/prices";
import { ensureViewerStored, NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import { orderUserOptions, type UserOption } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { ensureAccount } from "./ledger/ledger.server";

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

/** Chooses the level of a balance: comfortable from 50 credits, low below 10. */
export function classifyBalance(balance: number): "comfortable" | "middling" | "low" {
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

export function sumCredits(users: readonly CreditUser[]) {
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

interface Row extends Pick<UserOption, "id" | "display_name" | "username"> {
  balance: number;
  held: number;
  total_spent: number;
  updated_at: Date | null;
}

/** Lists all users with their credits, the signed-in one first. Fails with `not_configured` or `database_unavailable`. */
export async function listCreditUsers(viewer: Viewer): Promise<Outcome<CreditUser[]>> {
  const stored = await withDatabase((db) => loadRows(db, null));
  if (!stored.ok) return stored;
  const byId = new Map(stored.value.map((row) => [row.id, row]));
  // The order of the user selector.
  return succeed(
    orderUserOptions(stored.value, viewer).map((option) =>
      toCreditUser(byId.get(option.id) ?? option, viewer),
    ),
  );
}

/**
 * Loads one user's credits. Only the signed-in user gets a missing record here, so that guessed IDs create no users. Fails with
 * `not_found`, `not_configured` or `database_unavailable`.
 */
export async function loadCreditUser(viewer: Viewer, userId: string): Promise<Outcome<CreditUser>> {
  const found = await withDatabase(async (db) => {
    if (userId === viewer.id) {
      await ensureViewerStored(db, viewer);
      await ensureAccount(db, userId);
    }
    if (!(await userExists(db, userId))) return null;
    return (await loadRows(db, userId))[0] ?? null;
  });
  if (!found.ok) return found;
  return found.value ? succeed(toCreditUser(found.value, viewer)) : NO_SUCH_USER;
}

function loadRows(db: Db, userId: string | null): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT u.id, u.display_name, u.username, coalesce(a.balance, 0) AS balance, coalesce(a.held, 0) AS held,
      coalesce(a.total_spent, 0) AS total_spent, a.updated_at
    FROM users u LEFT JOIN credit_accounts a ON a.user_id = u.id
    WHERE ${userId}::text IS NULL OR u.id = ${userId}::text`;
}

function toCreditUser(row: UserOption & Partial<Row>, viewer: Viewer): CreditUser {
  return {
    id: row.id,
    displayName: row.display_name,
    username: row.username,
    isViewer: row.id === viewer.id,
    balance: row.balance ?? 0,
    held: row.held ?? 0,
    totalSpent: row.total_spent ?? 0,
    lastUpdated: row.updated_at ?? null,
  };
}

/** The account shown in the header and on the send button. */
export interface CurrentAccount {
  userId: string;
  displayName: string;
  /** Credits that can be spent now. */
  available: number;
  held: number;
  /** The limit that the balance fell below, until a person closes the notice; null without one. */
  low: number | null;
}

/**
 * Loads the credits of this browser's current user: the remembered one if still stored, else the viewer. Null when the database cannot be
 * read.
 */
export async function loadCurrentAccount(
  viewer: { id: string; displayName: string },
  rememberedId: string | null,
): Promise<CurrentAccount | null> {
  const read = await withDatabase(
    (db) => db.$queryRaw<CurrentAccount[]>`
      SELECT u.id AS "userId", u.display_name AS "displayName", coalesce(a.balance - a.held, 0)::int AS available,
        coalesce(a.held, 0)::int AS held,
        (SELECT min(n.threshold) FROM balance_notices n WHERE n.user_id = u.id AND n.seen_at IS NULL) AS low
      FROM users u LEFT JOIN credit_accounts a ON a.user_id = u.id
      WHERE u.id IN (${rememberedId ?? viewer.id}, ${viewer.id})`,
  );
  if (!read.ok) return null;
  const found =
    read.value.find((row) => row.userId === rememberedId) ??
    read.value.find((row) => row.userId === viewer.id);
  return found ?? { userId: viewer.id, displayName: viewer.displayName, available: 0, held: 0, low: null };
}

/** Closes the notice of a low balance. It returns only after credits were added and used up. */
export function closeBalanceNotice(userId: string): Promise<Outcome<number>> {
  return withDatabase(
    (db) => db.$executeRaw`
      UPDATE balance_notices SET seen_at = clock_timestamp() WHERE user_id = ${userId} AND seen_at IS NULL`,
  );
}
