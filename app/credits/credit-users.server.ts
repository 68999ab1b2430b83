import { ensureViewerStored, NO_SUCH_USER, userExists } from "~/people/stored-user.server";
import { orderUserOptions } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
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
