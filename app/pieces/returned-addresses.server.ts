import type { Db } from "~/platform/database/client";
import type { Addressee } from "~/recipients/addressee.server";
import { Prisma } from "../../prisma/client/client";

const IS_RETURNED = Prisma.sql`i.type IN ('letter', 'postcard') AND i.status = 'returned'`;

/** Keys of addresses, with the last time that mail to them came back. An index finds these few pieces. */
export const RETURNED_ADDRESSES = Prisma.sql`
  SELECT s.recipient_key AS key, max(i.status_at) AS at FROM mail_items i JOIN sends s ON s.id = i.send_id
  WHERE ${IS_RETURNED} AND s.recipient_key IS NOT NULL
  GROUP BY s.recipient_key`;

/**
 * Finds when mail to a recipient last came back; null if it never did.
 * @param addressee by the key of an address, by an ID in the account of `baseUrl`, or both
 */
export async function findReturned(
  db: Db,
  { key, recipientId }: Pick<Addressee, "key" | "recipientId">,
  baseUrl: string,
): Promise<Date | null> {
  if (key === null && recipientId === null) return null;
  const [found] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT max(i.status_at) AS at FROM mail_items i JOIN sends s ON s.id = i.send_id WHERE ${IS_RETURNED}
      AND (s.recipient_key = ${key} OR (s.recipient_id = ${recipientId} AND i.base_url = ${baseUrl}))`;
  return found?.at ?? null;
}
