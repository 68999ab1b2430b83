import type { Db } from "~/platform/database/client";
import { writeSearchText } from "~/platform/search-words";

interface Unwritten {
  id: string;
  name: string;
  email: string | null;
  recipientId: string | null;
}

/** Writes what older recipients are found by. Gives how many were written; fewer than `limit`: all are. */
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
