import { setTimeout as wait } from "node:timers/promises";
import { withDatabase } from "~/platform/database/database.server";

const FIRST_WAIT_MS = 20;

/**
 * Whether an answer that is saved by itself stands among the stored responses, within `limitMs`: it is saved after it
 * was given. False also where the database cannot tell.
 */
export async function waitForSaved(id: string, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const found = await withDatabase(
      (db) => db.$queryRaw<unknown[]>`SELECT 1 FROM responses WHERE id = ${id} AND deleted_at IS NULL`,
    );
    if (!found.ok) return false;
    if (found.value.length > 0) return true;
    if (performance.now() + waitMs > until) return false;
    await wait(waitMs);
  }
}
