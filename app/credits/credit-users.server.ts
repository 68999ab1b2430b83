import { BALANCE_THRESHOLDS } from "~/catalogue/prices";
import { ensureViewerStored, NO_SUCH_USER } from "~/people/stored-user.server";
import { nameTo, orderUserOptions, type UserOption } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { ensureAccount } from "./ledger/ledger.server";

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

type Row = Pick<UserOption, "id" | "display_name" | "username"> &
  Pick<CreditUser, "balance" | "held" | "totalSpent" | "lastUpdated">;

/** Lists all users with their credits, the signed-in one first, as the user selector does. */
export async function listCreditUsers(viewer: Viewer): Promise<Outcome<CreditUser[]>> {
  const stored = await withDatabase((db) => loadRows(db, null));
  if (!stored.ok) return stored;
  return succeed(orderUserOptions(stored.value, viewer).map((row) => toCreditUser(row, viewer)));
}

/** Loads one user's credits. Only the signed-in user gets a missing record here, so that guessed IDs create no users. */
export function loadCreditUser(viewer: Viewer, userId: string): Promise<Outcome<CreditUser>> {
  return withDatabase(async (db) => {
    if (userId === viewer.id) {
      await ensureViewerStored(db, viewer);
      await ensureAccount(db, userId);
    }
    const [row] = await loadRows(db, userId);
    return row ? toCreditUser(row, viewer) : NO_SUCH_USER;
  });
}

function loadRows(db: Db, userId: string | null): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT u.id, u.display_name, u.username, coalesce(a.balance, 0) AS balance, coalesce(a.held, 0) AS held,
      coalesce(a.total_spent, 0) AS "totalSpent", a.updated_at AS "lastUpdated"
    FROM users u LEFT JOIN credit_accounts a ON a.user_id = u.id
    WHERE ${userId}::text IS NULL OR u.id = ${userId}::text`;
}

/** @param user without credits if nothing is stored of the viewer */
function toCreditUser(user: UserOption & Partial<Row>, viewer: Viewer): CreditUser {
  const { id, username, balance = 0, held = 0, totalSpent = 0, lastUpdated = null } = user;
  const displayName = nameTo(viewer, user);
  return { id, displayName, username, isViewer: id === viewer.id, balance, held, totalSpent, lastUpdated };
}

/** The account shown in the header and on the send button. */
export interface CurrentAccount {
  userId: string;
  displayName: string;
  available: number;
  held: number;
  /** The limit that the balance fell below, until a refund lifts it or a person closes the notice; null without one. */
  low: number | null;
}

/** Loads the credits of the remembered user if still stored, else of the viewer. Null when the database cannot be read. */
export async function loadCurrentAccount(
  viewer: { id: string; displayName: string },
  rememberedId: string | null,
): Promise<CurrentAccount | null> {
  const read = await withDatabase(
    (db) => db.$queryRaw<CurrentAccount[]>`
      SELECT u.id AS "userId", u.display_name AS "displayName", coalesce(a.balance - a.held, 0)::int AS available,
        coalesce(a.held, 0)::int AS held,
        (SELECT min(n.threshold) FROM balance_notices n
          WHERE n.user_id = u.id AND n.seen_at IS NULL AND n.threshold > a.balance) AS low
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
