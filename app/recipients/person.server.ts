import type { Db } from "~/platform/database/client";
import { splitWords } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";
import { recipientRowId } from "./record-recipients.server";

/** Somebody mail is sent to: one of our recipients, and whoever else is the same one. */
export interface Person {
  /** Of the row in `mail_recipients`. */
  id: string;
  userId: string;
  baseUrl: string;
  /** The provider's; null for one who was only named by an address. */
  recipientId: string | null;
  name: string;
  email: string | null;
}

/** A recipient by our own id, or null. */
export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const rows = await db.$queryRaw<Person[]>`
    SELECT id, user_id AS "userId", base_url AS "baseUrl", recipient_id AS "recipientId", name, email
    FROM mail_recipients WHERE id = ${id}`;
  return rows[0] ?? null;
}

/**
 * Whether a row of `sends` (as `s`) went to this person, whoever sent it: to the provider's recipient of that account, or
 * to the same address.
 */
export function isSentTo({ id, userId, baseUrl, recipientId }: Person): Prisma.Sql {
  if (recipientId !== null) {
    return Prisma.sql`(s.recipient_id = ${recipientId} AND starts_with(s.url, ${`${baseUrl}/`}))`;
  }
  const rowId = recipientRowId(
    Prisma.sql`k.user_id`,
    Prisma.sql`${baseUrl}::text`,
    Prisma.sql`k.recipient_id`,
    Prisma.sql`k.recipient_key`,
  );
  return Prisma.sql`s.recipient_key IN (SELECT k.recipient_key FROM sends k
    WHERE k.user_id = ${userId} AND k.recipient_key IS NOT NULL AND ${rowId} = ${id})`;
}

/** More than anybody is sent. */
const MOST_PIECES = 5_000;

/**
 * The ids of the pieces that a user sent to one of their recipients, by the provider's recipient, else by the address; and of
 * the tests, which have no address, by name. Where nobody has the id, there are none. @param id our own of the recipient
 */
export async function listPiecesTo(db: Db, id: string): Promise<string[]> {
  const person = await findPerson(db, id);
  if (!person) return [];
  const { userId, baseUrl, recipientId, name } = person;
  // As it stands in the texts that pieces are searched by, which an index has: an address is known by its hash alone.
  const pattern = `% ${[...new Set(splitWords(name))].join(" ")} %`;
  const rowId = recipientRowId(
    Prisma.sql`${userId}::text`,
    Prisma.sql`${baseUrl}::text`,
    Prisma.sql`NULL::text`,
    Prisma.sql`k.recipient_key`,
  );
  const isTo =
    recipientId === null
      ? Prisma.sql`s.recipient_key = (SELECT k.recipient_key FROM likely l JOIN sends k ON k.id = l.send_id
          WHERE ${rowId} = ${id} LIMIT 1)`
      : Prisma.sql`s.recipient_id = ${recipientId} AND starts_with(s.url, ${`${baseUrl}/`})`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH likely AS MATERIALIZED (
      SELECT id, send_id, test, addressee FROM mail_items
      WHERE search_text LIKE ${pattern} AND user_id = ${userId}
    )
    SELECT s.id FROM sends s WHERE s.user_id = ${userId} AND ${isTo}
    UNION ALL
    SELECT id FROM likely WHERE test AND lower(addressee) = lower(${name})
    LIMIT ${MOST_PIECES}::int`;
  return rows.map((row) => row.id);
}

/**
 * Whether a text that belongs to no send names the person: has the e-mail, or each word of a name of two or more words.
 * It may be JSON that writes letters as \u00e9.
 */
export function mentions({ name, email }: Person, text: Prisma.Sql): Prisma.Sql {
  const words = name.split(/\s+/).filter((word) => word.length > 1);
  const has = (word: string) =>
    Prisma.sql`(position(lower(${word}) in lower(${text})) > 0 OR position(lower(${escapeUnicode(word)}) in lower(${text})) > 0)`;
  const named = words.length > 1 ? Prisma.join(words.map(has), " AND ") : Prisma.sql`false`;
  return email ? Prisma.sql`((${named}) OR ${has(email)})` : Prisma.sql`(${named})`;
}

/** Removes the person from the lists of everybody. Gives the number of rows. */
export function eraseRecipients(db: Db, { id, baseUrl, recipientId }: Person): Promise<number> {
  return db.$executeRaw`
    DELETE FROM mail_recipients
    WHERE id = ${id} OR (base_url = ${baseUrl} AND recipient_id = ${recipientId}::text)`;
}

/** Removes who was added so many days ago and whom nothing was sent to since. */
export function expireRecipients(db: Db, days: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM mail_recipients r WHERE r.created_at < now() - ${days}::int * interval '1 day' AND NOT EXISTS (
      SELECT 1 FROM sends s WHERE s.user_id = r.user_id AND s.recipient_id = r.recipient_id
        AND s.created_at > now() - ${days}::int * interval '1 day')`;
}

function escapeUnicode(word: string): string {
  return JSON.stringify(word)
    .slice(1, -1)
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
