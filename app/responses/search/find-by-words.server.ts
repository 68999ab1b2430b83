import type { Db } from "~/platform/database/client";
import { NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { Prisma } from "../../../prisma/client/client";
import { writeResponseWords } from "../response-words";

/** A stored response that a search found. */
export interface FoundResponse {
  id: string;
  method: string;
  path: string;
  statusCode: number | null;
  userName: string;
  createdAt: Date;
}

const COLUMNS = Prisma.sql`
  r.id, r.method, r.path, r.status_code AS "statusCode", u.display_name AS "userName", r.created_at AS "createdAt"`;

/**
 * Finds responses whose request or answer has values with all these words, newest first: among the newest rows, then
 * by the index, which has no order but few rows for a rare word.
 */
export async function findResponsesByWords(
  db: Db,
  words: readonly string[],
  limit: number,
): Promise<FoundResponse[]> {
  const begins = words.map((word) => Prisma.sql`w.words LIKE ${`% ${word}%`}`);
  const newest = await selectNewest(
    db,
    Prisma.sql`
      SELECT w.response_id, w.created_at FROM (
        SELECT * FROM response_words WHERE words IS NOT NULL
        ORDER BY created_at DESC, response_id DESC LIMIT ${NEWEST_ROWS}::int
      ) w WHERE ${Prisma.join(begins, " AND ")}`,
    limit,
  );
  if (newest.length >= limit) return newest;
  const query = words.map((word) => `'${word}':*`).join(" & ");
  return selectNewest(
    db,
    // Spelled like the index.
    Prisma.sql`
      SELECT w.response_id, w.created_at FROM response_words w
      WHERE w.words IS NOT NULL AND array_to_tsvector(string_to_array(btrim(w.words), ' ')) @@ ${query}::tsquery`,
    limit,
  );
}

/** Finds the stored response with this id, as a list. */
export function findResponseById(db: Db, id: string): Promise<FoundResponse[]> {
  return db.$queryRaw<FoundResponse[]>`
    SELECT ${COLUMNS} FROM responses r JOIN users u ON u.id = r.user_id
    WHERE r.id = ${id} AND r.deleted_at IS NULL`;
}

function selectNewest(db: Db, hits: Prisma.Sql, limit: number): Promise<FoundResponse[]> {
  return db.$queryRaw<FoundResponse[]>`
    WITH hits AS MATERIALIZED (${hits}),
      newest AS MATERIALIZED (
        SELECT response_id FROM hits ORDER BY created_at DESC, response_id DESC LIMIT ${limit}::int
      )
    SELECT ${COLUMNS} FROM newest JOIN responses r ON r.id = newest.response_id JOIN users u ON u.id = r.user_id
    WHERE r.deleted_at IS NULL ORDER BY r.created_at DESC, r.id DESC`;
}

interface Unwritten {
  id: string;
  request: string | null;
  response: string | null;
}

/** Writes the words of responses that are older than {@link writeResponseWords}. Returns the number written; fewer than `limit` when none is left. */
export async function fillResponseWords(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<Unwritten[]>`
    SELECT w.response_id AS id, left(b.request_data, 250000) AS request, left(b.response_data, 250000) AS response
    FROM response_words w LEFT JOIN response_bodies b ON b.response_id = w.response_id
    WHERE w.is_complete IS NULL ORDER BY w.created_at DESC LIMIT ${limit}::int`;
  const words = rows.map(({ request, response }) => writeResponseWords(request, response));
  await db.$executeRaw`
    UPDATE response_words r SET words = w.words, is_complete = w.is_complete
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${words.map((row) => row.words)}::text[],
      ${words.map((row) => row.isComplete)}::boolean[]) AS w (id, words, is_complete)
    WHERE r.response_id = w.id AND r.is_complete IS NULL`;
  return rows.length;
}
