import { setTimeout as wait } from "node:timers/promises";
import { withDatabase } from "~/platform/database/database.server";

const FIRST_WAIT_MS = 20;

/**
 * Waits until an automatically saved response is stored: saving starts only after the answer was given. False after
 * `limitMs`, and when the database cannot be read.
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
