import type { Db } from "~/platform/database/client";
import type { Addressee } from "~/recipients/addressee.server";
import { Prisma } from "../../prisma/client/client";

/**
 * Selects the last time `at` that mail to a key came back; null if it never did. Reads two indexes and no piece, so that its time
 * depends on the number of keys alone.
 */
export function selectCameBack(key: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT max(i.status_at) AS at FROM sends s JOIN mail_items i ON i.send_id = s.id
    WHERE s.recipient_key = ${key} AND i.status = 'returned'`;
}

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
    SELECT max(i.status_at) AS at FROM mail_items i JOIN sends s ON s.id = i.send_id WHERE i.status = 'returned'
      AND (s.recipient_key = ${key} OR (s.recipient_id = ${recipientId} AND i.base_url = ${baseUrl}))`;
  return found?.at ?? null;
}
