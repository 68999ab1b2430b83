import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import { orderUserOptions } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { CreditUser } from "./credit-user";
import { ensureAccount } from "./ledger/ledger.server";

interface Row {
  id: string;
  display_name: string;
  username: string;
  balance: number;
  held: number;
  total_spent: number;
  updated_at: Date | null;
}

/**
 * All users with their credits, the signed-in one first; who is not stored yet has zeros (spec §3, §6).
 * Fails with `not_configured` or `database_unavailable`.
 */
export async function listCreditUsers(viewer: Viewer): Promise<Outcome<CreditUser[]>> {
  const stored = await withDatabase((db) => readUsers(db, null));
  if (!stored.ok) return stored;
  const byId = new Map(stored.value.map((row) => [row.id, row]));
  // The order is the selector's, so that every list of users reads the same.
  return succeed(
    orderUserOptions(stored.value, viewer).map((option) =>
      toCreditUser(byId.get(option.id) ?? option, viewer),
    ),
  );
}

/**
 * One user's credits. The signed-in user's own record is made here at the first need, nobody else's ever (spec §7,
 * security.md row 8). Fails with `not_found`, `not_configured` or `database_unavailable`.
 */
export async function loadCreditUser(viewer: Viewer, userId: string): Promise<Outcome<CreditUser>> {
  const found = await withDatabase(async (db) => {
    if (userId === viewer.id) {
      await ensureViewerStored(db, viewer);
      await ensureAccount(db, userId);
    }
    if (!(await userExists(db, userId))) return null;
    return (await readUsers(db, userId))[0] ?? null;
  });
  if (!found.ok) return found;
  return found.value ? succeed(toCreditUser(found.value, viewer)) : NO_SUCH_USER;
}

export const NO_SUCH_USER = fail("not_found", "There is no user with this id. Nothing was changed.");

function readUsers(db: Db, userId: string | null): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT u.id, u.display_name, u.username, coalesce(a.balance, 0) AS balance, coalesce(a.held, 0) AS held,
      coalesce(a.total_spent, 0) AS total_spent, a.updated_at
    FROM users u LEFT JOIN credit_accounts a ON a.user_id = u.id
    WHERE ${userId}::text IS NULL OR u.id = ${userId}::text`;
}

function toCreditUser(
  row: Pick<Row, "id" | "display_name" | "username"> & Partial<Row>,
  viewer: Viewer,
): CreditUser {
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
