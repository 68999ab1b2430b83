import { randomUUID } from "node:crypto";
import type { MailType } from "~/pieces/mail-type";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { DraftWithChoices, PresetDraft, TeamTemplate } from "./draft";
import { removeRecipient } from "./recipients";

export interface ListedTeamTemplate extends TeamTemplate {
  mailType: MailType;
}

const MAX_LISTED = 100;

/** Saves a draft for the team, without its recipient. Fails with `duplicate` when a template other than `replacedId` has the name. */
export async function saveTeamTemplate(
  viewerId: string,
  name: string,
  mailType: MailType,
  { draft, ...choices }: PresetDraft,
  replacedId: string | null,
): Promise<Outcome<string>> {
  const content = JSON.stringify({ ...choices, userId: null, draft: removeRecipient(draft) });
  const kept = await withDatabase(
    (db) => db.$queryRaw<{ id: string }[]>`
      INSERT INTO parked_drafts (id, actor_id, content, name, mail_type)
      VALUES (${randomUUID()}, ${viewerId}, ${content}, ${name}, ${mailType})
      ON CONFLICT (name) DO UPDATE
        SET actor_id = excluded.actor_id, content = excluded.content, mail_type = excluded.mail_type, created_at = now()
        WHERE parked_drafts.id = ${replacedId}
      RETURNING id`,
  );
  if (!kept.ok) return kept;
  return kept.value[0]
    ? succeed(kept.value[0].id)
    : fail(
        "duplicate",
        `There is another template named "${name}". Choose another name, or open that one to change it`,
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
  const { name, content } = found.value;
  return succeed({ teamTemplate: { id, name: name ?? "" }, draft: JSON.parse(content) as DraftWithChoices });
}

export function deleteTeamTemplate(id: string): Promise<Outcome<unknown>> {
  return withDatabase((db) => db.parkedDraft.deleteMany({ where: { id, NOT: { name: null } } }));
}
