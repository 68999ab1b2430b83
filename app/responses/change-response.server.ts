import { z } from "zod";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { formatProblems } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatNotSaved, prefixFailure, RESPONSE_NOT_FOUND } from "./messages";
import { buildSearchText, countResponses, type SearchedFields } from "./response-record.server";
import { responseTags } from "./save/save.schema.server";
import { toId } from "./search/find-response.server";

const DELETE_FAILED = "Failed to delete response";

/** Replaces the tags of a stored response. Fails with `bad_input`, `not_found`, or as the database does. */
export async function changeTags(id: string, tags: readonly string[]): Promise<Outcome<null>> {
  const parsed = z.object({ tags: responseTags }).safeParse({ tags });
  if (!parsed.success) return fail("bad_input", formatNotSaved(formatProblems(parsed.error)));
  const masked = parsed.data.tags.map(maskKey);
  return withDatabase((db) =>
    db.$transaction(async (tx) => {
      const isListed = (await tx.storedResponse.count({ where: { id: toId(id), deletedAt: null } })) > 0;
      if (!isListed) return fail("not_found", RESPONSE_NOT_FOUND);
      await updateTags(tx, id, () => masked);
      return null;
    }),
  );
}

/** Changes the tags of a response, hidden or not, and its search text with them. */
export async function updateTags(db: Db, id: string, change: (tags: string[]) => string[]): Promise<void> {
  const [row] = await db.$queryRaw<(SearchedFields & { found: string })[]>`
    SELECT path, method, endpoint_category AS category, endpoint_preset AS preset, tags,
      substr(search_text, length(split_part(search_text, chr(31), 1)) + 1) AS found
    FROM responses WHERE id = ${id} FOR UPDATE`;
  if (!row) return;
  const tags = change(row.tags);
  await db.$executeRaw`
    UPDATE responses SET tags = ${tags}::text[], search_text = ${buildSearchText({ ...row, tags }) + row.found}
    WHERE id = ${id}`;
}

/**
 * Deletes a response from every list and total, with its bodies. The response of a live piece is only hidden, with time
 * and actor: `hidden` is then true. Fails with `not_found`, `not_configured` or `database_unavailable`.
 */
export async function deleteResponse(
  id: string,
  viewer: Pick<Viewer, "actorId">,
): Promise<Outcome<{ hidden: boolean }>> {
  const done = await withDatabase(
    (db) => db.$queryRaw<{ hidden: boolean }[]>`
      WITH concealed AS (
        UPDATE responses SET deleted_at = now(), deleted_by = ${viewer.actorId}
        WHERE id = ${toId(id)} AND deleted_at IS NULL AND send_id IS NOT NULL
        RETURNING id, status_code, created_at, true AS hidden
      ), forgotten AS (
        DELETE FROM response_words WHERE response_id IN (SELECT id FROM concealed)
      ), removed AS (
        DELETE FROM responses WHERE id = ${toId(id)} AND deleted_at IS NULL AND send_id IS NULL
        RETURNING id, status_code, created_at, false AS hidden
      ), gone AS (SELECT * FROM concealed UNION ALL SELECT * FROM removed), ${countResponses("gone", -1)}
      SELECT hidden FROM gone`,
  );
  if (!done.ok) return prefixFailure(DELETE_FAILED, done);
  if (done.value[0]) return succeed(done.value[0]);
  return fail(
    "not_found",
    `${DELETE_FAILED}: there is no stored response with this ID. Nothing was deleted.`,
  );
}
