import { maskKey } from "~/outside/mail-provider/call/mask.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { formatProblems } from "~/platform/input-problems.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatNotSaved, RESPONSE_NOT_FOUND } from "./messages";
import { buildSearchText } from "./response-record.server";
import { responseTags } from "./save/save.schema.server";

/** Replaces the tags of a stored response. Fails with `bad_input`, `not_found`, or as the database does. */
export async function changeTags(id: string, tags: readonly string[]): Promise<Outcome<null>> {
  const parsed = responseTags.safeParse(tags);
  if (!parsed.success) return fail("bad_input", formatNotSaved(`tags ${formatProblems(parsed.error)}`));
  const asked = /^[\w-]{1,64}$/.test(id) ? id : "";
  const masked = parsed.data.map(maskKey);
  const done = await withDatabase((db) =>
    db.$transaction(async (tx) => {
      const shown = await tx.storedResponse.count({ where: { id: asked, deletedAt: null } });
      if (shown > 0) await updateTags(tx, asked, () => masked);
      return shown > 0;
    }),
  );
  if (!done.ok) return done;
  return done.value ? succeed(null) : fail("not_found", RESPONSE_NOT_FOUND);
}

/** Changes the tags of a response, hidden or not, also in what it is found by. */
export async function updateTags(db: Db, id: string, change: (tags: string[]) => string[]): Promise<void> {
  const [row] = await db.$queryRaw<(Parameters<typeof buildSearchText>[0] & { found: string })[]>`
    SELECT path, method, endpoint_category AS category, endpoint_preset AS preset, tags,
      substr(search_text, length(split_part(search_text, chr(31), 1)) + 1) AS found
    FROM responses WHERE id = ${id} FOR UPDATE`;
  if (!row) return;
  const tags = change(row.tags);
  await db.$executeRaw`
    UPDATE responses SET tags = ${tags}::text[], search_text = ${buildSearchText({ ...row, tags }) + row.found}
    WHERE id = ${id}`;
}
