import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DELETE_FAILED, NOTHING_TO_DELETE } from "./messages";
import { prefixFailure } from "./prefix-failure";
import { countResponses } from "./response-record.server";

/** The result of deleting a response. */
export interface Deleted {
  /** It is the response of a live piece, so its row is only hidden. */
  hidden: boolean;
}

/**
 * Takes a response out of every list and total. Its row and bodies are deleted; the response of a live piece is only
 * hidden, with time and actor. Fails with `not_found`, `not_configured` or `database_unavailable`.
 */
export async function deleteResponse(id: string, viewer: Pick<Viewer, "actorId">): Promise<Outcome<Deleted>> {
  const asked = /^[\w-]{1,64}$/.test(id) ? id : "";
  const done = await withDatabase((db) => deleteOrHide(db, asked, viewer.actorId));
  if (!done.ok) return prefixFailure(DELETE_FAILED, done);
  if (done.value) return succeed(done.value);
  return fail("not_found", NOTHING_TO_DELETE);
}

async function deleteOrHide(db: Db, id: string, actorId: string): Promise<Deleted | null> {
  const rows = await db.$queryRaw<Deleted[]>`
    WITH concealed AS (
      UPDATE responses SET deleted_at = now(), deleted_by = ${actorId}
      WHERE id = ${id} AND deleted_at IS NULL AND send_id IS NOT NULL
      RETURNING id, status_code, created_at, true AS hidden
    ), forgotten AS (
      DELETE FROM response_words WHERE response_id IN (SELECT id FROM concealed)
    ), removed AS (
      DELETE FROM responses WHERE id = ${id} AND deleted_at IS NULL AND send_id IS NULL
      RETURNING id, status_code, created_at, false AS hidden
    ), gone AS (SELECT * FROM concealed UNION ALL SELECT * FROM removed), ${countResponses("gone", -1)}
    SELECT hidden FROM gone`;
  return rows[0] ?? null;
}
