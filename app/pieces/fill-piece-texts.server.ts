import type { Db } from "~/platform/database/client";
import { writeSearchText } from "~/platform/search-words";
import { parseAddressee, parseSentBody } from "~/recipients/addressee.server";

interface Unwritten {
  id: string;
  body: string | null;
  name: string | null;
  email: string | null;
  place: string | null;
}

/** Writes what older pieces are found by. Gives how many were written; fewer than `limit`: all are. */
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
