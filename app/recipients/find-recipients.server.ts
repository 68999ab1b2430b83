import type { Db } from "~/platform/database/client";
import { type Found, findByWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { writeSearchText } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";

/** A recipient that a search found. */
export interface FoundRecipient {
  /** Our id. */
  id: string;
  userId: string;
  name: string;
  email: string | null;
  place: string | null;
  /** The provider's id; null for an inline address. */
  recipientId: string | null;
  /** The name of its user. */
  userName: string;
}

const MOST_BY_ID = 5;
const COLUMNS = Prisma.sql`r.id, r.user_id AS "userId", r.name, r.email, r.place, r.recipient_id AS "recipientId", u.display_name AS "userName"`;

/** Finds recipients by words of their name, place or e-mail. */
export function findRecipientsByWords(
  db: Db,
  words: readonly string[],
  limit: number,
): Promise<Found<FoundRecipient>> {
  return findByWords(words, limit, (isMatch, newest) => {
    const recipients = newest
      ? Prisma.sql`(SELECT * FROM mail_recipients WHERE deleted_at IS NULL
          ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_ROWS}::int)`
      : Prisma.sql`mail_recipients`;
    return db.$queryRaw<FoundRecipient[]>`
      WITH hits AS MATERIALIZED (
        SELECT m.id, m.created_at FROM ${recipients} m
        WHERE m.deleted_at IS NULL AND ${isMatch(Prisma.sql`m.search_text`)}
      ), newest AS MATERIALIZED (SELECT id FROM hits ORDER BY created_at DESC, id DESC LIMIT ${limit}::int)
      SELECT ${COLUMNS} FROM newest JOIN mail_recipients r ON r.id = newest.id JOIN users u ON u.id = r.user_id
      ORDER BY r.created_at DESC, r.id DESC`;
  });
}

/**
 * Finds recipients by our own id or the provider's.
 * @param baseUrls the accounts to search
 */
export function findRecipientsById(
  db: Db,
  id: string,
  baseUrls: readonly string[],
): Promise<FoundRecipient[]> {
  return db.$queryRaw<FoundRecipient[]>`
    SELECT ${COLUMNS} FROM mail_recipients r JOIN users u ON u.id = r.user_id
    WHERE r.deleted_at IS NULL
      AND (r.id = ${id} OR (r.base_url = ANY(${[...baseUrls]}::text[]) AND r.recipient_id = ${id}))
    ORDER BY r.created_at DESC LIMIT ${MOST_BY_ID}::int`;
}

interface Unwritten {
  id: string;
  name: string;
  email: string | null;
  recipientId: string | null;
}

/** Writes the search texts of older recipients. Returns the number written; fewer than `limit` when none is left. */
export async function fillRecipientTexts(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<Unwritten[]>`
    SELECT id, name, email, recipient_id AS "recipientId" FROM mail_recipients
    WHERE search_text IS NULL ORDER BY created_at DESC LIMIT ${limit}::int`;
  const texts = rows.map(({ name, email, recipientId }) => writeSearchText([name, email, recipientId]));
  await db.$executeRaw`
    UPDATE mail_recipients r SET search_text = w.text
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${texts}::text[]) AS w (id, text)
    WHERE r.id = w.id AND r.search_text IS NULL`;
  return rows.length;
}
