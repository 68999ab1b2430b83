import { withDatabase } from "~/platform/database/database.server";
import type { Outcome } from "~/platform/outcome";

/** Closes what is said on screen about a low balance. It is said again only after credits were added and used up. */
export function closeBalanceNotice(userId: string): Promise<Outcome<number>> {
  return withDatabase(
    (db) => db.$executeRaw`
      UPDATE balance_notices SET seen_at = clock_timestamp() WHERE user_id = ${userId} AND seen_at IS NULL`,
  );
}
