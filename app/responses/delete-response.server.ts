import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { prefixFailure } from "./prefix-failure";
import { count } from "./response-record.server";

/** What became of a deleted response. */
export interface Deleted {
  /** Money refers to it, so that it is only hidden, and its send goes on to tell its story. */
  kept: boolean;
}

const FAILED = "Failed to delete response";

/**
 * Takes a response out of every list and total: its row and bodies are gone, or, where it is the answer of a live
 * send, hidden with time and actor. Fails with `not_found`, `not_configured` or `database_unavailable`.
 */
export async function deleteResponse(id: string, viewer: Pick<Viewer, "id">): Promise<Outcome<Deleted>> {
  const asked = /^[\w-]{1,64}$/.test(id) ? id : "";
  const done = await withDatabase((db) => takeAway(db, asked, viewer.id));
  if (!done.ok) return prefixFailure(FAILED, done);
  if (done.value) return succeed(done.value);
  return fail("not_found", `${FAILED}: there is no stored response with this id. Nothing was deleted.`);
}

async function takeAway(db: Db, id: string, actorId: string): Promise<Deleted | null> {
  const rows = await db.$queryRaw<Deleted[]>`
    WITH hidden AS (
      UPDATE responses SET deleted_at = now(), deleted_by = ${actorId}
      WHERE id = ${id} AND deleted_at IS NULL AND send_id IS NOT NULL
      RETURNING status_code, created_at, true AS kept
    ), removed AS (
      DELETE FROM responses WHERE id = ${id} AND deleted_at IS NULL AND send_id IS NULL
      RETURNING status_code, created_at, false AS kept
    ), gone AS (SELECT * FROM hidden UNION ALL SELECT * FROM removed), ${count("gone", -1)}
    SELECT kept FROM gone`;
  return rows[0] ?? null;
}
