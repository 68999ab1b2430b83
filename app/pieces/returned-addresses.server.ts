import type { Db } from "~/platform/database/client";
import { parseAddressee } from "~/recipients/addressee.server";
import { Prisma } from "../../prisma/client/client";

/** Keys of addresses, with the last time that mail to them came back. An index finds these few pieces. */
export const RETURNED_ADDRESSES = Prisma.sql`
  SELECT s.recipient_key AS key, max(i.status_at) AS at FROM mail_items i JOIN sends s ON s.id = i.send_id
  WHERE i.type IN ('letter', 'postcard') AND i.status = 'returned' AND s.recipient_key IS NOT NULL
  GROUP BY s.recipient_key`;

/** Finds when mail to the recipient of a request last came back; null if never, and for a saved recipient. */
export async function findReturned(db: Db, body: unknown): Promise<Date | null> {
  const { key } = parseAddressee(body);
  if (key === null) return null;
  const [found] = await db.$queryRaw<{ at: Date }[]>`
    SELECT at FROM (${RETURNED_ADDRESSES}) AS returned WHERE key = ${key}`;
  return found?.at ?? null;
}
