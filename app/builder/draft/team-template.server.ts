import { randomUUID } from "node:crypto";
import type { MailType } from "~/pieces/mail-type";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { DraftWithChoices, PresetDraft, TeamTemplate } from "./draft";
import { removeRecipient } from "./recipients";

export interface ListedTeamTemplate extends Pick<TeamTemplate, "id" | "name"> {
  mailType: MailType;
}

const MAX_LISTED = 100;

const CHANGED = fail(
  "duplicate",
  "Another person changed or deleted this template. Nothing was deleted; open it again",
);

/**
 * Saves a draft for the team, without its recipient. Fails with `duplicate` when another template has the name, or another person
 * changed the one that it replaces.
 */
export async function saveTeamTemplate(
  viewerId: string,
  name: string,
  mailType: MailType,
  { draft, ...choices }: PresetDraft,
  replaced: TeamTemplate | null,
): Promise<Outcome<TeamTemplate>> {
  const content = JSON.stringify({ ...choices, userId: null, draft: removeRecipient(draft) });
  const kept = await withDatabase(
    (db) => db.$queryRaw<{ id: string; createdAt: Date }[]>`
      INSERT INTO parked_drafts (id, actor_id, content, name, mail_type)
      VALUES (${randomUUID()}, ${viewerId}, ${content}, ${name}, ${mailType})
      ON CONFLICT (name) DO UPDATE
        SET actor_id = excluded.actor_id, content = excluded.content, mail_type = excluded.mail_type, created_at = now()
        WHERE parked_drafts.id = ${replaced?.id ?? null} AND parked_drafts.created_at = ${replaced?.savedAt ?? null}::timestamptz
      RETURNING id, created_at AS "createdAt"`,
  );
  if (!kept.ok) return kept;
  const [row] = kept.value;
  return row
    ? succeed({ id: row.id, name, savedAt: row.createdAt.toISOString() })
    : fail(
        "duplicate",
        `There is another template named "${name}", or another person changed it. Choose another name, or open that one to change it`,
      );
}

/** Lists the templates of the team by name, without their content. */
export function listTeamTemplates(db: Db): Promise<ListedTeamTemplate[]> {
  return db.$queryRaw<ListedTeamTemplate[]>`
    SELECT id, name, mail_type AS "mailType" FROM parked_drafts
    WHERE name IS NOT NULL ORDER BY lower(name), id LIMIT ${MAX_LISTED}::int`;
}

/** Loads a template of the team. Fails with `not_found` when it was deleted. */
export async function loadTeamTemplate(
  id: string,
): Promise<Outcome<{ teamTemplate: TeamTemplate; draft: DraftWithChoices }>> {
  const found = await withDatabase((db) => db.parkedDraft.findFirst({ where: { id, NOT: { name: null } } }));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", "This template was deleted.");
  const { name, content, createdAt } = found.value;
  const teamTemplate = { id, name: name ?? "", savedAt: createdAt.toISOString() };
  return succeed({ teamTemplate, draft: JSON.parse(content) as DraftWithChoices });
}

/** Deletes a template, unless another person changed or deleted it. */
export function deleteTeamTemplate({ id, savedAt }: TeamTemplate): Promise<Outcome<null>> {
  return withDatabase(async (db) => {
    const where = { id, createdAt: savedAt, NOT: { name: null } };
    return (await db.parkedDraft.deleteMany({ where })).count === 0 ? CHANGED : null;
  });
}
