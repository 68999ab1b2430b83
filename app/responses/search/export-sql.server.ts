import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import type { PageCursor } from "~/platform/page-cursor";
import { Prisma } from "../../../prisma/client/client";
import { FETCH_FAILED, prefixFailure } from "../messages";
import {
  BODY_COLUMNS,
  JOIN_LISTED,
  LISTED_COLUMNS,
  REFUSED_COLUMN,
  type ResponseRow,
} from "../response-row.server";
import type { ResponseFilter } from "../stored-response";
import { buildFilterSql, type FilterSql, isBehind, NEWEST_FIRST } from "./filter-sql.server";
import { NEWEST_RESPONSES } from "./search-responses.server";

/** Rows per query. */
const WINDOW_ROWS = 1_000;
/** Limit of bodies in memory, unless a single one is larger. */
const CHUNK_BYTES = 512 * 1024;

type MeasuredRow = ResponseRow & { bytes: number };

/**
 * Loads all responses of a filter, newest first, a few at a time, with constant memory. Rows stored later are left
 * out. Ends after a failure, as of `listResponses`.
 */
export async function* loadAllResponses(
  filter: ResponseFilter,
  bodies: boolean,
): AsyncGenerator<Outcome<ResponseRow[]>, undefined> {
  const written = await withDatabase((db) => buildFilterSql(db, filter));
  if (!written.ok) {
    yield prefixFailure(FETCH_FAILED, written);
    return;
  }
  const sql = written.value;
  // Texts without an index are searched among the newest rows only, like in the list.
  let left = sql.indexed ? Number.POSITIVE_INFINITY : NEWEST_RESPONSES;
  let cursor: PageCursor | null = null;
  while (left > 0) {
    const from: PageCursor | null = cursor;
    const window: Outcome<{ rows: MeasuredRow[]; end: PageCursor | null }> = await withDatabase((db) =>
      loadWindow(db, sql, from, Math.min(WINDOW_ROWS, left), bodies),
    );
    if (!window.ok) {
      yield prefixFailure(FETCH_FAILED, window);
      return;
    }
    for (const chunk of cutIntoChunks(window.value.rows)) {
      const read = bodies ? await withDatabase((db) => loadBodies(db, chunk)) : succeed(chunk);
      yield prefixFailure(FETCH_FAILED, read);
      if (!read.ok) return;
    }
    if (!window.value.end) return;
    cursor = window.value.end;
    left -= WINDOW_ROWS;
  }
}

/**
 * Loads the matching rows among the next rows of the list, and the cursor to continue with; null after the last row.
 */
async function loadWindow(
  db: Db,
  { ordered, unordered }: FilterSql,
  cursor: PageCursor | null,
  size: number,
  bodies: boolean,
): Promise<{ rows: MeasuredRow[]; end: PageCursor | null }> {
  const seen = Prisma.sql`
    SELECT r.* FROM responses r WHERE ${ordered} AND ${isBehind(cursor)} ${NEWEST_FIRST} LIMIT ${size}::int`;
  const end = unordered === null ? [] : await loadWindowEnd(db, seen, size);
  const measure = bodies
    ? Prisma.sql`(SELECT coalesce(octet_length(b.request_data), 0) + coalesce(octet_length(b.response_data), 0)
          + coalesce(octet_length(b.response_bytes), 0)
        FROM response_bodies b WHERE b.response_id = r.id)`
    : Prisma.sql`0`;
  const rows = await db.$queryRaw<MeasuredRow[]>`
    SELECT ${LISTED_COLUMNS}, ${REFUSED_COLUMN}, coalesce(${measure}, 0)::int AS bytes
    FROM (${seen}) r ${JOIN_LISTED}
    WHERE ${unordered ?? Prisma.sql`TRUE`} ${NEWEST_FIRST}`;
  const last = rows.at(-1);
  if (unordered !== null) return { rows, end: end[0] ?? null };
  return { rows, end: last && rows.length === size ? { createdAt: last.created_at, id: last.id } : null };
}

function loadWindowEnd(db: Db, seen: Prisma.Sql, size: number): Promise<PageCursor[]> {
  return db.$queryRaw<PageCursor[]>`
    SELECT r.created_at AS "createdAt", r.id FROM (${seen}) r ${NEWEST_FIRST} OFFSET ${size - 1}::int LIMIT 1`;
}

function* cutIntoChunks(rows: MeasuredRow[]): Generator<ResponseRow[]> {
  let chunk: ResponseRow[] = [];
  let size = 0;
  for (const { bytes, ...row } of rows) {
    if (chunk.length > 0 && size + bytes > CHUNK_BYTES) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(row);
    size += bytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** Loads the bodies of rows; a row that was deleted in between gets none. */
async function loadBodies(db: Db, rows: ResponseRow[]): Promise<ResponseRow[]> {
  const found = await db.$queryRaw<
    (Pick<ResponseRow, "request_data" | "response_data" | "response_headers" | "response_bytes"> & {
      response_id: string;
    })[]
  >`
    SELECT b.response_id, ${BODY_COLUMNS} FROM response_bodies b
    WHERE b.response_id = ANY(${rows.map(({ id }) => id)}::text[])`;
  const byId = new Map(found.map(({ response_id, ...bodies }) => [response_id, bodies]));
  const none = { request_data: null, response_data: null, response_headers: null, response_bytes: null };
  return rows.map((row) => ({ ...row, ...(byId.get(row.id) ?? none) }));
}
