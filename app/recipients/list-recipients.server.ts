import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { findByWords, hasWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { streamColumns } from "~/platform/http/csv-stream.server";
import { cutPage, loadAllPages, type PageCursor } from "~/platform/page-cursor";
import { splitWords, writeSearchText } from "~/platform/search-words";
import { Prisma, type MailRecipient as RecipientRow } from "../../prisma/client/client";

const PAGE_ROWS = 50;
const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;

/** A recipient, as the list and `/api/mail/recipients` have it. The provider does not store an inline address, so it has no id there. */
export interface MailRecipient extends Omit<RecipientRow, "baseUrl" | "searchText" | "deletedAt"> {
  userName: string;
}

export interface MailRecipientQuery {
  /** Null for all users. */
  userId: string | null;
  /** Words of name, place or e-mail; null for all. */
  search?: string | null;
  cursor?: PageCursor | null;
  limit?: number | undefined;
}

/** Lists the recipients of a user, or of all, newest first, without deleted ones. Fails with `not_found` for an unknown user. */
export async function listMailRecipients(query: MailRecipientQuery, viewer: Pick<Viewer, "id">) {
  const { userId, limit = PAGE_ROWS } = query;
  return withDatabase(async (db) => {
    if (userId !== null && !(await isViewerOrStored(db, userId, viewer))) return NO_SUCH_USER;
    return cutPage(await loadRecipientRows(db, query, limit + 1), limit);
  });
}

async function loadRecipientRows(db: Db, query: MailRecipientQuery, limit: number): Promise<MailRecipient[]> {
  const { userId, search = null, cursor } = query;
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

export function toWireRecipient({ userId, userName, place, createdAt, ...recipient }: MailRecipient) {
  return { ...recipient, createdAt: createdAt.toISOString() };
}

const BATCH_ROWS = 1_000;
const COLUMNS_OF_FILE = {
  id: (row) => row.id,
  created_at: (row) => row.createdAt,
  recipient_id: (row) => row.recipientId,
  name: (row) => row.name,
  email: (row) => row.email,
  address: (row) => (row.isVerified ? "verified" : "unverified"),
  place: (row) => row.place,
  user: (row) => row.userName,
} satisfies Record<string, (row: MailRecipient) => string | Date | null>;

/** Streams all recipients of a query as a CSV file. Fails as `listMailRecipients` does, before anything is written. */
export function streamMailRecipientsCsv(query: MailRecipientQuery, viewer: Pick<Viewer, "id">) {
  return streamColumns(
    COLUMNS_OF_FILE,
    loadAllPages((cursor) => listMailRecipients({ ...query, cursor, limit: BATCH_ROWS }, viewer)),
  );
}

/** A recipient that a search found; a deleted one too, because it leads to the person's data. */
export type FoundRecipient = Omit<MailRecipient, "isVerified" | "createdAt"> & { isDeleted: boolean };

const MOST_BY_ID = 5;
const COLUMNS = Prisma.sql`r.id, r.user_id AS "userId", r.name, r.email, r.place, r.recipient_id AS "recipientId",
  r.deleted_at IS NOT NULL AS "isDeleted", u.display_name AS "userName"`;

export function findRecipientsByWords(db: Db, words: readonly string[], limit: number) {
  return findByWords(words, limit, (isMatch, newest) => {
    const recipients = newest
      ? Prisma.sql`(SELECT * FROM mail_recipients WHERE deleted_at IS NULL
          ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_ROWS}::int)`
      : Prisma.sql`mail_recipients`;
    return db.$queryRaw<FoundRecipient[]>`
      WITH hits AS MATERIALIZED (
        SELECT m.id, m.created_at FROM ${recipients} m
        WHERE ${isMatch(Prisma.sql`m.search_text`)}
      ), newest AS MATERIALIZED (SELECT id FROM hits ORDER BY created_at DESC, id DESC LIMIT ${limit}::int)
      SELECT ${COLUMNS} FROM newest JOIN mail_recipients r ON r.id = newest.id JOIN users u ON u.id = r.user_id
      ORDER BY r.created_at DESC, r.id DESC`;
  });
}

/** Finds recipients by our own id or the provider's in these accounts. */
export function findRecipientsById(db: Db, id: string, baseUrls: readonly string[]) {
  return db.$queryRaw<FoundRecipient[]>`
    SELECT ${COLUMNS} FROM mail_recipients r JOIN users u ON u.id = r.user_id
    WHERE r.id = ${id} OR (r.base_url = ANY(${[...baseUrls]}::text[]) AND r.recipient_id = ${id})
    ORDER BY r.created_at DESC LIMIT ${MOST_BY_ID}::int`;
}

/** Writes the search texts of older recipients. Returns the number written; fewer than `limit` when none is left. */
export async function fillRecipientTexts(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<Pick<MailRecipient, "id" | "name" | "email" | "place" | "recipientId">[]>`
    SELECT id, name, email, place, recipient_id AS "recipientId" FROM mail_recipients
    WHERE search_text IS NULL ORDER BY created_at DESC LIMIT ${limit}::int`;
  const texts = rows.map(({ name, email, place, recipientId }) =>
    writeSearchText([name, email, place, recipientId]),
  );
  await db.$executeRaw`
    UPDATE mail_recipients r SET search_text = w.text
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${texts}::text[]) AS w (id, text)
    WHERE r.id = w.id AND r.search_text IS NULL`;
  return rows.length;
}
