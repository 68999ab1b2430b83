import type { Db } from "~/platform/database/client";
import { writeResponseWords } from "./response-words";

interface Unwritten {
  id: string;
  request: string | null;
  response: string | null;
}

/** Writes the words of older responses. Gives how many were written; fewer than `limit`: all are. */
export async function fillResponseWords(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<Unwritten[]>`
    SELECT w.response_id AS id, left(b.request_data, 250000) AS request, left(b.response_data, 250000) AS response
    FROM response_words w LEFT JOIN response_bodies b ON b.response_id = w.response_id
    WHERE w.words IS NULL ORDER BY w.created_at DESC LIMIT ${limit}::int`;
  const words = rows.map(({ request, response }) => writeResponseWords(request, response));
  await db.$executeRaw`
    UPDATE response_words r SET words = w.words
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${words}::text[]) AS w (id, words)
    WHERE r.response_id = w.id AND r.words IS NULL`;
  return rows.length;
}
