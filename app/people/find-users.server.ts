import type { Db } from "~/platform/database/client";
import { type Found, findByWords } from "~/platform/database/search-sql.server";
import { writeSearchText } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";

/** A user that a search found. */
export interface FoundUser {
  id: string;
  displayName: string;
  username: string;
}

/** Users by words of their name, username or e-mail. */
export function findUsersByWords(db: Db, words: readonly string[], limit: number): Promise<Found<FoundUser>> {
  // There are few users, so the index alone is fast enough.
  return findByWords(words, limit, async (isMatch, newest) =>
    newest ? [] : selectUsers(db, isMatch(Prisma.sql`search_text`), limit),
  );
}

/** The user with this id, in a list. */
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
