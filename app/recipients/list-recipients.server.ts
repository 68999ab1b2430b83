import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { cutPage, type Page, type PageCursor } from "~/platform/page-cursor";
import { Prisma } from "../../prisma/client/client";
import type { MailRecipient } from "./recipient";

const PAGE_ROWS = 50;

export interface MailRecipientQuery {
  userId: string;
  cursor?: PageCursor | null;
  limit?: number | undefined;
}

/**
 * A user's recipients, newest first, a page at a time; deleted ones are not among them.
 * Fails with `not_found` for a user there is not, `not_configured` or `database_unavailable`.
 */
export async function listMailRecipients(
  query: MailRecipientQuery,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<MailRecipient>>> {
  const limit = query.limit ?? PAGE_ROWS;
  const read = await withDatabase(async (db) =>
    (await isViewerOrStored(db, query.userId, viewer)) ? selectRecipients(db, query, limit + 1) : null,
  );
  if (!read.ok) return read;
  return read.value ? succeed(cutPage(read.value, limit)) : NO_SUCH_USER;
}

function selectRecipients(
  db: Db,
  { userId, cursor }: MailRecipientQuery,
  limit: number,
): Promise<MailRecipient[]> {
  const older = cursor
    ? Prisma.sql`AND (created_at, id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`
    : Prisma.empty;
  return db.$queryRaw<MailRecipient[]>`
    SELECT id, user_id AS "userId", recipient_id AS "recipientId", name, email, is_verified AS "isVerified",
      created_at AS "createdAt"
    FROM mail_recipients WHERE user_id = ${userId} AND deleted_at IS NULL ${older}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`;
}
