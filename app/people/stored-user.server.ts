import { randomUUID } from "node:crypto";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Found, findByWords } from "~/platform/database/search-sql.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { writeSearchText } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";
import type { StoredUserInput } from "./stored-user.schema.server";
import { NAMELESS, orderUserOptions, type UserOption } from "./user-option";
import type { Viewer } from "./viewer.server";

export async function userExists(db: Db, id: string): Promise<boolean> {
  return (await db.$queryRaw<unknown[]>`SELECT 1 FROM users WHERE id = ${id}`).length > 0;
}

/** Loads the names of people. One who is not stored keeps the id. */
export async function loadNames(db: Db, ids: readonly (string | null)[]): Promise<(id: string) => string> {
  const users = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, display_name AS name FROM users WHERE id = ANY(${[...new Set(ids)]}::text[])`;
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

export const NO_SUCH_USER = fail("not_found", "There is no user with this ID. Nothing was changed.");

export async function isViewerOrStored(db: Db, id: string, viewer: Pick<Viewer, "id">): Promise<boolean> {
  return id === viewer.id || (await userExists(db, id));
}

/** Inserts the viewer's row if it is missing. No other row is inserted from an id alone. */
export async function ensureViewerStored(
  db: Db,
  { id, displayName, email }: Pick<Viewer, "id" | "displayName" | "email">,
): Promise<void> {
  // The id is the username if another user has the e-mail address as theirs.
  for (const username of [email ?? id, id]) {
    const name = displayName === NAMELESS ? username : displayName;
    await db.$executeRaw`
      INSERT INTO users (id, display_name, username, email, search_text)
      VALUES (${id}, ${name}, ${username}, ${email}, ${writeSearchText([name, username, email])})
      ON CONFLICT DO NOTHING`;
  }
}

/** Stores a user to act for, with an id that no identity provider can give. Fails when the username is taken in any case. */
export async function createStoredUser(input: StoredUserInput): Promise<Outcome<{ id: string }>> {
  const id = `user-${randomUUID()}`;
  const created = await withDatabase((db) =>
    db.$transaction(async (tx) => {
      // A second insert of the name, in any case, waits here and then finds the first.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(lower(${input.username}), 0))`;
      return tx.$executeRaw`
        INSERT INTO users (id, display_name, username, search_text)
        SELECT ${id}, ${input.displayName}, ${input.username}, ${writeSearchText([input.displayName, input.username])}
        WHERE NOT EXISTS (SELECT 1 FROM users WHERE lower(username) = lower(${input.username}))
        ON CONFLICT DO NOTHING`;
    }),
  );
  if (!created.ok) return created;
  if (created.value === 1) return succeed({ id });
  return fail(
    "bad_input",
    `The username ${input.username} is taken. No user was created; choose another username.`,
  );
}

/** Lists the users to act for, in the selector's order. Fails as the database does. */
export async function listUserOptions(viewer: Viewer | null): Promise<Outcome<UserOption[]>> {
  const stored = await withDatabase((db) =>
    db.user.findMany({ select: { id: true, displayName: true, username: true } }),
  );
  if (!stored.ok) return stored;
  const options = stored.value.map(({ displayName, ...user }) => ({ ...user, display_name: displayName }));
  return succeed(orderUserOptions(options, viewer));
}

export type FoundUser = Record<"id" | "displayName" | "username", string>;

export function findUsersByWords(db: Db, words: readonly string[], limit: number): Promise<Found<FoundUser>> {
  // There are few users, so the index alone is fast enough.
  return findByWords(words, limit, async (isMatch, newest) =>
    newest ? [] : selectUsers(db, isMatch(Prisma.sql`search_text`), limit),
  );
}

/** Finds the user with this id; a list of at most one. */
export function findUserById(db: Db, id: string): Promise<FoundUser[]> {
  return selectUsers(db, Prisma.sql`id = ${id}`, 1);
}

function selectUsers(db: Db, condition: Prisma.Sql, limit: number): Promise<FoundUser[]> {
  return db.$queryRaw<FoundUser[]>`
    SELECT id, display_name AS "displayName", username FROM users
    WHERE ${condition} ORDER BY display_name, id LIMIT ${limit}::int`;
}

/** Writes the search texts of older users. Returns how many; fewer than `limit` means that all are written. */
export async function fillUserTexts(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<(FoundUser & { email: string | null })[]>`
    SELECT id, display_name AS "displayName", username, email FROM users
    WHERE search_text IS NULL ORDER BY created_at DESC LIMIT ${limit}::int`;
  const texts = rows.map(({ displayName, username, email }) =>
    writeSearchText([displayName, username, email]),
  );
  await db.$executeRaw`
    UPDATE users u SET search_text = w.text
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${texts}::text[]) AS w (id, text)
    WHERE u.id = w.id AND u.search_text IS NULL`;
  return rows.length;
}
