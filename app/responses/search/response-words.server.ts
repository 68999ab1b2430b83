import type { Db } from "~/platform/database/client";
import { NEWEST_ROWS } from "~/platform/database/search-sql.server";
import { skipScalar, skipSpace, skipString } from "~/platform/json-text";
import { parseJson, parseRecord } from "~/platform/json-value";
import { splitWords, writeSearchText } from "~/platform/search-words";
import { Prisma, type StoredResponse } from "../../../prisma/client/client";

/** Limit of words, enough for a request and its answer. */
const MAX_WORDS = 600;
const MAX_CHARS = 200_000;
/** Limit of a value: a longer one is a file or a page of text. */
const MAX_VALUE_CHARS = 500;
/** Fields of a stored request without values for the search. */
const CALL_FIELDS = new Set(["base", "method", "path"]);

/**
 * Writes the search words of the values in a request and its answer. Names of fields are left out. `isComplete` is true
 * when every value that may name a person is among them, so that an erasure need not read the texts.
 */
export function writeResponseWords(requestText: string | null, responseText: string | null) {
  const words = new Set<string>();
  for (const values of [listRequestValues(requestText ?? ""), listValues(responseText ?? "")]) {
    for (const value of values) {
      if (words.size >= MAX_WORDS) break;
      for (const word of splitWords(value.slice(0, MAX_VALUE_CHARS))) words.add(word);
    }
  }
  const isWhole = [requestText, responseText].every((text) => (text ?? "").length <= MAX_CHARS);
  return {
    words: writeSearchText([[...words].slice(0, MAX_WORDS).join(" ")]),
    isComplete: isWhole && words.size < MAX_WORDS && !hasHiddenValues(requestText ?? ""),
  };
}

/** True when a part of the request that {@link listRequestValues} leaves out could name a person. */
function hasHiddenValues(text: string): boolean {
  const { query, body, headers, ...other } = parseRecord(parseJson(text));
  if (query === undefined && body === undefined) return false;
  // Fields of a person have no dash in their names, and headers that are sent have one.
  const isPlain = Object.keys(parseRecord(headers)).every((name) => name.includes("-") || name === "accept");
  const isHidden = ([name, value]: [string, unknown]) =>
    !CALL_FIELDS.has(name) || (typeof value === "object" && value !== null);
  return !isPlain || Object.entries(other).some(isHidden);
}

/** Lists query and body, or all values when the request has another shape. */
function listRequestValues(text: string): Iterable<string> {
  if (text.length > MAX_CHARS) return listValues(text);
  const { query, body, ...other } = parseRecord(parseJson(text));
  return listValues(JSON.stringify(query === undefined && body === undefined ? other : [query, body]));
}

/** Lists texts and numbers in a JSON text, which may be cut. Scans it, because enough words are often at its beginning. */
function* listValues(text: string): Generator<string> {
  const scanned = text.slice(0, MAX_CHARS);
  const known = new Set<string>();
  for (let at = 0; at < scanned.length; ) {
    const start = at;
    const char = scanned[start] ?? "";
    if (char === '"') {
      at = skipString(scanned, start);
      // A name has a colon behind it.
      if (scanned[skipSpace(scanned, at)] === ":") continue;
      const token = scanned.slice(start, at);
      if (known.has(token)) continue;
      known.add(token);
      // A text that is cut within an escape is skipped.
      yield token.includes("\\") ? String(parseJson(token) ?? "") : token.slice(1);
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      at = skipScalar(scanned, start);
      yield scanned.slice(start, at);
    } else at++;
  }
}

export interface FoundResponse
  extends Pick<StoredResponse, "id" | "method" | "path" | "statusCode" | "createdAt"> {
  userName: string;
}

const COLUMNS = Prisma.sql`
  r.id, r.method, r.path, r.status_code AS "statusCode", u.display_name AS "userName", r.created_at AS "createdAt"`;

/**
 * Finds responses whose request or answer has values with all these words, newest first: among the newest rows, then
 * by the index, which has no order but few rows for a rare word.
 */
export async function findResponsesByWords(db: Db, words: readonly string[], limit: number) {
  const begins = words.map((word) => Prisma.sql`w.words LIKE ${`% ${word}%`}`);
  const amongNewest = Prisma.sql`
    SELECT w.response_id, w.created_at FROM (
      SELECT * FROM response_words WHERE words IS NOT NULL
      ORDER BY created_at DESC, response_id DESC LIMIT ${NEWEST_ROWS}::int
    ) w WHERE ${Prisma.join(begins, " AND ")}`;
  const newest = await selectNewest(db, amongNewest, limit);
  if (newest.length >= limit) return newest;
  const query = words.map((word) => `'${word}':*`).join(" & ");
  // Spelled like the index.
  const byIndex = Prisma.sql`
    SELECT w.response_id, w.created_at FROM response_words w
    WHERE w.words IS NOT NULL AND array_to_tsvector(string_to_array(btrim(w.words), ' ')) @@ ${query}::tsquery`;
  return selectNewest(db, byIndex, limit);
}

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

/** Writes the words of responses that are older than {@link writeResponseWords}. Returns the number written; fewer than `limit` when none is left. */
export async function fillResponseWords(db: Db, limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ id: string; request: string | null; response: string | null }[]>`
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
