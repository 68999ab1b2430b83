import type { Db } from "~/platform/database/client";

/** Counts the sessions of a database that wait for a lock. Not within a transaction, which sees the activity of its start only. */
export async function countBlocked(db: Db): Promise<number> {
  const blocked = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return blocked.length;
}
