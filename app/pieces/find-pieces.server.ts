import type { Db } from "~/platform/database/client";
import { type Found, findByWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { writeSearchText } from "~/platform/search-words";
import { parseAddressee, parseSentBody } from "~/recipients/addressee.server";
import { type MailItem, Prisma } from "../../prisma/client/client";
import type { MailType } from "./mail-type";
import { parseSendId } from "./send-tag";
import type { PieceState } from "./states";

/** A piece, or a test, which has the id of its item and no page. */
export interface FoundPiece
  extends Pick<MailItem, "id" | "userId" | "test" | "addressee" | "place" | "createdAt"> {
  type: MailType;
  /** The provider's status; null before it has one. */
  status: string | null;
  /** Null for a test. */
  state: PieceState | null;
}

const MOST_BY_ID = 5;
/** States of pieces without a mail item, as in the index of their texts. */
export const NOT_ITEMS = Prisma.sql`s.state IN ('reserved', 'sending', 'unknown', 'needs_review', 'refused')`;
/** Columns of a live piece `s`, and of `i` if it is mail. */
const PIECE = Prisma.sql`
  s.id, s.user_id AS "userId", s.mail_type AS type, false AS test,
  coalesce(i.addressee, s.recipient_name, 'Recipient ' || s.recipient_id) AS addressee,
  s.recipient_place AS place, i.status, state, s.created_at AS "createdAt"`;
const TEST = Prisma.sql`
  i.id, i.user_id AS "userId", i.type, true AS test, i.addressee, i.place, i.status, NULL AS state,
  i.created_at AS "createdAt"`;

/** Finds pieces by words of their recipient's name, company, city, postcode or e-mail; with a type only those of it. */
export function findPiecesByWords(
  db: Db,
  words: readonly string[],
  limit: number,
  type: MailType | null = null,
): Promise<Found<FoundPiece>> {
  return findByWords(words, limit, (isMatch, newest) => {
    const items = newest
      ? Prisma.sql`(SELECT * FROM mail_items ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_ROWS}::int)`
      : Prisma.sql`mail_items`;
    return db.$queryRaw<FoundPiece[]>`
      WITH hits AS MATERIALIZED (
        SELECT i.id, i.send_id, i.created_at FROM ${items} i
        WHERE ${isMatch(Prisma.sql`i.search_text`)} AND (${type}::text IS NULL OR i.type = ${type}::text)
      ), newest AS MATERIALIZED (
        SELECT id, send_id FROM hits ORDER BY created_at DESC, id DESC LIMIT ${limit}::int
      ), open AS MATERIALIZED (
        SELECT s.id FROM sends s WHERE ${NOT_ITEMS} AND ${isMatch(Prisma.sql`s.search_text`)}
          AND (${type}::text IS NULL OR s.mail_type = ${type}::text)
        ORDER BY s.created_at DESC LIMIT ${limit}::int
      ), found AS (
        SELECT ${TEST} FROM newest JOIN mail_items i ON i.id = newest.id WHERE newest.send_id IS NULL
        UNION ALL
        SELECT ${PIECE} FROM (SELECT send_id AS id FROM newest UNION SELECT id FROM open) live
          JOIN sends s ON s.id = live.id LEFT JOIN mail_items i ON i.send_id = s.id
      )
      SELECT * FROM found ORDER BY "createdAt" DESC, id DESC LIMIT ${limit}::int`;
  });
}

/** Finds live pieces by their own id, their tag, the provider's mail ID or their key, and a test by its id. */
export function findPiecesById(db: Db, text: string): Promise<FoundPiece[]> {
  const id = parseSendId(text.toLowerCase()) ?? text;
  return db.$queryRaw<FoundPiece[]>`
    WITH hits AS (
      SELECT id FROM sends WHERE id = ${id} OR idempotency_key = ${text}
      UNION SELECT send_id FROM mail_items WHERE provider_id = ${text} AND send_id IS NOT NULL
    ), found AS (
      SELECT ${PIECE} FROM hits JOIN sends s ON s.id = hits.id LEFT JOIN mail_items i ON i.send_id = s.id
      UNION ALL SELECT ${TEST} FROM mail_items i WHERE i.id = ${text} AND i.send_id IS NULL
    )
    SELECT * FROM found ORDER BY "createdAt" DESC LIMIT ${MOST_BY_ID}::int`;
}

interface Unwritten {
  id: string;
  body: string | null;
  name: string | null;
  email: string | null;
  place: string | null;
}

/** Writes the search texts of older pieces. Returns the number written; fewer than `limit` when none is left. */
export async function fillPieceTexts(db: Db, limit: number): Promise<number> {
  const sends = await db.$queryRaw<Unwritten[]>`
    SELECT id, request_body AS body, recipient_name AS name, recipient_email AS email, recipient_place AS place FROM sends
    WHERE search_text IS NULL ORDER BY created_at DESC LIMIT ${limit}::int`;
  await db.$executeRaw`
    UPDATE sends s SET search_text = w.text
    FROM unnest(${sends.map(({ id }) => id)}::text[], ${sends.map(writeText)}::text[]) AS w (id, text)
    WHERE s.id = w.id AND s.search_text IS NULL`;
  const items = await db.$queryRaw<Unwritten[]>`
    SELECT i.id, s.request_body AS body, i.addressee AS name, s.recipient_email AS email, i.place
    FROM mail_items i LEFT JOIN sends s ON s.id = i.send_id
    WHERE i.search_text IS NULL ORDER BY i.created_at DESC LIMIT ${limit}::int`;
  await db.$executeRaw`
    UPDATE mail_items i SET search_text = w.text
    FROM unnest(${items.map(({ id }) => id)}::text[], ${items.map(writeText)}::text[]) AS w (id, text)
    WHERE i.id = w.id AND i.search_text IS NULL`;
  return Math.max(sends.length, items.length);
}

function writeText({ body, name, email, place }: Unwritten): string {
  return parseAddressee(parseSentBody(body ?? "")).searchText + writeSearchText([name, email, place]);
}
