import type { Db } from "~/platform/database/client";
import { writeSearchText } from "~/platform/search-words";

interface Unwritten {
  id: string;
  displayName: string;
  username: string;
  email: string | null;
}

/** Writes what older users are found by. Gives how many were written; fewer than `limit`: all are. */
export async function fillUserTexts(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<Unwritten[]>`
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
