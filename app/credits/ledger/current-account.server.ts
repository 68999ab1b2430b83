import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";

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
