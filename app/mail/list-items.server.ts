import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { MailItem } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { cutPage, type Page, type PageCursor } from "~/platform/page-cursor";
import { Prisma } from "../../prisma/client/client";

/** Which mail items to list. */
export interface MailItemQuery {
  userId: string;
  /** Absent: letters and postcards. */
  type?: MailType | undefined;
  /** As stored. */
  status?: string | undefined;
  cursor?: PageCursor | null;
  limit?: number | undefined;
}

const MAIL_PAGE_ROWS = 50;
const TYPES: readonly MailType[] = ["letter", "postcard"];

const ITEM_COLUMNS = Prisma.sql`
  i.id, i.user_id AS "userId", i.type, i.preset, i.method, i.path, i.provider_id AS "mailItemId", i.addressee,
  i.status, i.status_at AS "statusAt", i.test AS "isTest", i.is_cancelled AS "isCancelled",
  coalesce(s.state = 'cancelling', false) AS "isCancelling", i.cancelled_at AS "cancelledAt",
  i.cancellation_reason AS "cancellationReason", coalesce(s.charged, 0) AS charged, i.created_at AS "createdAt"`;

/**
 * A user's letters and postcards, newest first, a page at a time.
 * Fails with `not_found` for an unknown user, `not_configured` or `database_unavailable`.
 */
export async function listMailItems(
  query: MailItemQuery,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<MailItem>>> {
  const limit = query.limit ?? MAIL_PAGE_ROWS;
  const loaded = await withDatabase(async (db) =>
    (await isViewerOrStored(db, query.userId, viewer)) ? selectItems(db, query, limit + 1) : null,
  );
  if (!loaded.ok) return loaded;
  return loaded.value ? succeed(cutPage(loaded.value, limit)) : NO_SUCH_USER;
}

/** One item of a user by our id, or null. Fails as the database does. */
export function findMailItem(
  id: string,
  { userId, type }: { userId: string; type: MailType },
): Promise<Outcome<MailItem | null>> {
  return withDatabase(async (db) => {
    const [item] = await db.$queryRaw<MailItem[]>`
      SELECT ${ITEM_COLUMNS} FROM mail_items i LEFT JOIN sends s ON s.id = i.send_id
      WHERE i.id = ${id} AND i.user_id = ${userId} AND i.type = ${type}`;
    return item ?? null;
  });
}

/** One query per type, because each type has its own index. */
function selectItems(db: Db, query: MailItemQuery, limit: number): Promise<MailItem[]> {
  const lists = (query.type ? [query.type] : TYPES).map((type) => {
    const conditions = [Prisma.sql`user_id = ${query.userId} AND type = ${type}`];
    if (query.status) conditions.push(Prisma.sql`status = ${query.status}`);
    if (query.cursor) {
      const { createdAt, id } = query.cursor;
      conditions.push(Prisma.sql`(created_at, id) < (${createdAt}::timestamptz, ${id})`);
    }
    return Prisma.sql`(SELECT * FROM mail_items WHERE ${Prisma.join(conditions, " AND ")}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}::int)`;
  });
  return db.$queryRaw<MailItem[]>`
    SELECT ${ITEM_COLUMNS} FROM (${Prisma.join(lists, " UNION ALL ")}) i LEFT JOIN sends s ON s.id = i.send_id
    ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}::int`;
}
