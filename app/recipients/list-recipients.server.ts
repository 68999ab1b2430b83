import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { hasWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { cutPage, loadAllPages, type Page, type PageCursor } from "~/platform/page-cursor";
import { splitWords } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";
import type { MailRecipient } from "./recipient";

const PAGE_ROWS = 50;
const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;

export interface MailRecipientQuery {
  /** Null for all users. */
  userId: string | null;
  /** Words of name, place or e-mail; null for all. */
  search?: string | null;
  cursor?: PageCursor | null;
  limit?: number | undefined;
}

/**
 * Lists the recipients of a user, or of all, newest first, a page at a time, without deleted ones.
 * Fails with `not_found` for an unknown user, `not_configured` or `database_unavailable`.
 */
export async function listMailRecipients(
  query: MailRecipientQuery,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<MailRecipient>>> {
  const limit = query.limit ?? PAGE_ROWS;
  const read = await withDatabase(async (db) =>
    query.userId === null || (await isViewerOrStored(db, query.userId, viewer))
      ? selectRecipients(db, query, limit + 1)
      : null,
  );
  if (!read.ok) return read;
  return read.value ? succeed(cutPage(read.value, limit)) : NO_SUCH_USER;
}

async function selectRecipients(
  db: Db,
  { userId, search = null, cursor }: MailRecipientQuery,
  limit: number,
): Promise<MailRecipient[]> {
  const conditions = [
    Prisma.sql`deleted_at IS NULL`,
    ...(userId === null ? [] : [Prisma.sql`user_id = ${userId}`]),
    ...(cursor ? [Prisma.sql`(created_at, id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`] : []),
  ];
  const all = Prisma.sql`SELECT * FROM mail_recipients WHERE ${Prisma.join(conditions, " AND ")}`;
  if (search === null) return loadRows(db, all, limit);
  const words = splitWords(search);
  const found = words.length > 0 ? hasWords(Prisma.sql`search_text`, words) : Prisma.sql`FALSE`;
  const newest = Prisma.sql`SELECT * FROM (${all} ${NEWEST_FIRST} LIMIT ${NEWEST_ROWS}::int) n WHERE ${found}`;
  const rows = await loadRows(db, newest, limit);
  // The index of texts has no order: without OFFSET, the planner may read all rows in order.
  return rows.length === limit ? rows : loadRows(db, Prisma.sql`${all} AND ${found} OFFSET 0`, limit);
}

function loadRows(db: Db, source: Prisma.Sql, limit: number): Promise<MailRecipient[]> {
  return db.$queryRaw<MailRecipient[]>`
    SELECT r.id, r.user_id AS "userId", (SELECT display_name FROM users u WHERE u.id = r.user_id) AS "userName",
      r.recipient_id AS "recipientId", r.name, r.email, r.place, r.is_verified AS "isVerified", r.created_at AS "createdAt"
    FROM (SELECT * FROM (${source}) s ${NEWEST_FIRST} LIMIT ${limit}::int) r
    ORDER BY r.created_at DESC, r.id DESC`;
}

const BATCH_ROWS = 1_000;
const HEADER = ["id", "created_at", "recipient_id", "name", "email", "address", "place", "user"];

/** Streams all recipients of a query as a CSV file. Fails as `listMailRecipients` does, before anything is written. */
export function streamMailRecipientsCsv(
  query: Pick<MailRecipientQuery, "userId" | "search">,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(
    HEADER,
    loadAllPages((cursor) => listMailRecipients({ ...query, cursor, limit: BATCH_ROWS }, viewer)),
    ({ id, createdAt, recipientId, name, email, isVerified, place, userName }) => [
      id,
      createdAt,
      recipientId,
      name,
      email,
      isVerified ? "verified" : "unverified",
      place,
      userName,
    ],
  );
}
