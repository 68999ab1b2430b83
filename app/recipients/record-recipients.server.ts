import { ensureViewerStored, userExists } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { parseRecord } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { writeSearchText } from "~/platform/search-words";
import { Prisma, type PrismaClient } from "../../prisma/client/client";
import { formatName, formatPlace, selectText, writeRecipientText } from "./addressee.server";

/** A call about recipients that the provider carried out. */
export interface RecipientCall {
  path: string;
  method: string;
  body: unknown;
  data: unknown;
  baseUrl: string;
  userId: string;
}

const CHANGES = /^recipients\/(?:new|create|update|delete|deleteall)(?:\/[^/]+)?(?:\.json)?$/i;
const RECIPIENT_ID = /^[\w-]{1,64}$/;

/** True when a call may change recipients, if it succeeds. */
export function changesRecipients({ method, path }: Pick<RecipientCall, "method" | "path">): boolean {
  return method === "POST" && CHANGES.test(path);
}

/** Applies a recipient call through the proxy to our recipients. Never fails: one that is not stored is only missing from a list. */
export async function syncRecipients(
  call: RecipientCall,
  viewer: Pick<Viewer, "id" | "displayName" | "email">,
): Promise<void> {
  const change = parseChange(call);
  if (change === null) return;
  try {
    await withDatabase(async (db) => {
      if (change.kind === "delete") return markDeleted(db, call.baseUrl, change.id);
      await ensureViewerStored(db, viewer);
      if (await userExists(db, call.userId)) await saveRecipient(db, call, change);
    });
  } catch (error) {
    log.warn("recipient.not_stored", { errorName: errorNameOf(error) });
  }
}

/**
 * Writes the part of a `WITH` statement that adds the recipient of each send; a known one stays.
 * @param sends an earlier part with `user_id` and the `recipient_*` columns, as `s` in `baseUrl`
 * @param known name and place as the provider has them, for a recipient named by ID
 */
export function insertNamedRecipients(
  sends: string,
  baseUrl: Prisma.Sql,
  { name, place }: { name: string | null; place: string | null },
): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, email, place, search_text)
    SELECT ${recipientRowId(Prisma.sql`s.user_id`, baseUrl, Prisma.sql`s.recipient_id`, Prisma.sql`s.recipient_key`)},
      s.user_id, ${baseUrl}, s.recipient_id,
      coalesce(s.recipient_name, ${name}::text, 'Recipient ' || s.recipient_id), s.recipient_email,
      coalesce(s.recipient_place, ${place}::text),
      s.search_text || ${writeSearchText([name, place])}
    FROM ${Prisma.raw(sends)} s WHERE coalesce(s.recipient_id, s.recipient_key) IS NOT NULL
    ON CONFLICT DO NOTHING`;
}

/** Marks a recipient as deleted for all users. @param recipientId null for all recipients of that account */
export async function markDeleted(db: Db, baseUrl: string, recipientId: string | null): Promise<void> {
  const one =
    recipientId === null ? Prisma.sql`recipient_id IS NOT NULL` : Prisma.sql`recipient_id = ${recipientId}`;
  await db.$executeRaw`
    UPDATE mail_recipients SET deleted_at = now()
    WHERE base_url = ${baseUrl} AND ${one} AND deleted_at IS NULL`;
}

type Saved = Extract<ReturnType<typeof parseChange>, { kind: "save" }>;

function saveRecipient(db: PrismaClient, { userId, baseUrl }: RecipientCall, saved: Saved): Promise<void> {
  const { id, name, email, place, searchText, valid, overwrite } = saved;
  const [user, base] = [Prisma.sql`${userId}::text`, Prisma.sql`${baseUrl}::text`];
  const rowId = recipientRowId(user, base, Prisma.sql`${id}::text`);
  return db.$transaction(async (tx) => {
    const [known] = await tx.$queryRaw<{ name: string; email: string | null; place: string | null }[]>`
      SELECT name, email, place FROM mail_recipients WHERE id = ${rowId} FOR UPDATE`;
    // Details that an update does not contain stay, and a search must still find them.
    const text =
      searchText +
      writeSearchText([name ? null : known?.name, email ? null : known?.email, place ? null : known?.place]);
    const update = overwrite
      ? Prisma.sql`name = coalesce(${name}::text, r.name), email = coalesce(${email}::text, r.email),
          place = coalesce(${place}::text, r.place), is_verified = coalesce(${valid}::boolean, r.is_verified),
          deleted_at = NULL, search_text = ${text}`
      : Prisma.sql`deleted_at = NULL`;
    await tx.$executeRaw`
      INSERT INTO mail_recipients AS r (id, user_id, base_url, recipient_id, name, email, place, is_verified, search_text)
      VALUES (${rowId}, ${userId}, ${baseUrl}, ${id}, coalesce(${name}::text, 'Recipient ' || ${id}::text),
        ${email}::text, ${place}::text, coalesce(${valid}::boolean, false), ${text})
      ON CONFLICT (id) DO UPDATE SET ${update}`;
  });
}

/** Parses what a call did: `delete` one recipient, or all with the ID null, or `save` one; null for nothing. */
function parseChange({ path, body, data }: RecipientCall) {
  const [, verb = "", inPath] = path
    .toLowerCase()
    .replace(/\.json$/, "")
    .split("/");
  const fields = parseRecord(body);
  const answer = parseRecord(data);
  const answered = verb === "delete" ? "" : selectText(answer, "id");
  const id = inPath || answered || selectText(fields, "id");
  if (verb === "deleteall") return { kind: "delete", id: null } as const;
  if (!id || !RECIPIENT_ID.test(id)) return null;
  if (verb === "delete") return { kind: "delete", id } as const;
  const known = { ...fields, ...onlyTexts(answer) };
  const name = formatName(known);
  return {
    kind: "save" as const,
    id,
    name,
    place: formatPlace(known),
    searchText: writeRecipientText({ ...known, name }) + writeSearchText([`recipient ${id}`]),
    email: selectText(answer, "email") || selectText(fields, "email") || null,
    valid: parseValid(answer.valid),
    overwrite: selectText(fields, "on_duplicate") !== "ignore",
  };
}

function onlyTexts(answer: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(answer).filter(([, value]) => typeof value === "string" && value !== "");
  return Object.fromEntries(entries) as Record<string, string>;
}

function parseValid(valid: unknown): boolean | null {
  if (valid === undefined || valid === null) return null;
  return valid === true || valid === 1 || valid === "1" || valid === "true";
}

/** Derives the row id: one per user and provider's recipient, or per user and inline address. */
export function recipientRowId(
  user: Prisma.Sql,
  baseUrl: Prisma.Sql,
  recipientId: Prisma.Sql | null,
  key: Prisma.Sql = Prisma.sql`NULL`,
): Prisma.Sql {
  const id = recipientId ?? Prisma.sql`NULL::text`;
  return Prisma.sql`md5(${user} || ' ' || ${baseUrl} || ' ' || coalesce(${id}, 'inline ' || ${key}))`;
}
