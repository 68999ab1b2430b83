import type { Db } from "~/platform/database/client";
import { readPartsFromReplica, withDatabase } from "~/platform/database/database.server";
import { writeCsvLine } from "~/platform/http/csv";
import { streamFile } from "~/platform/http/csv-stream.server";
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
  serializeStoredResponse,
} from "../response-row.server";
import { formatTags } from "../tag-list";
import type { ResponseFilter } from "./filter.schema.server";
import { buildFilterSql, type FilterSql, isBehind, NEWEST_FIRST } from "./filter-sql.server";
import { NEWEST_RESPONSES } from "./list-responses.server";

const CSV_COLUMNS = {
  id: (row) => row.id,
  created_at: (row) => row.created_at,
  user_id: (row) => row.user_id,
  user: (row) => row.user_display_name,
  method: (row) => row.method,
  path: (row) => row.path,
  category: (row) => row.endpoint_category,
  preset: (row) => row.endpoint_preset,
  status_code: (row) => row.status_code,
  duration_ms: (row) => row.duration_ms,
  tags: (row) => formatTags(row.tags),
  cancelled_at: (row) => row.cancelled_at,
  cancellation_reason: (row) => row.cancellation_reason,
  send_id: (row) => row.send_id,
  mode: (row) => row.mode,
  addressee: (row) => row.addressee,
  is_refused: (row) => String(row.is_refused === true),
} satisfies Record<string, (row: ResponseRow) => string | number | Date | null>;

interface Format {
  head: string;
  writeLine(row: ResponseRow): string;
  bodies: boolean;
}

export const CSV: Format = {
  // Marks the file as UTF-8 for spreadsheets.
  head: `\uFEFF${writeCsvLine(Object.keys(CSV_COLUMNS))}`,
  writeLine: (row) => writeCsvLine(Object.values(CSV_COLUMNS).map((read) => read(row))),
  bodies: false,
};

/** One JSON object per line, as in `data` of `GET /api/responses/:id`. */
export const NDJSON: Format = {
  head: "",
  // An answer may be JSON over several lines.
  writeLine: (row) => `${serializeStoredResponse(row).replace(/[\r\n]+/g, " ")}\n`,
  bodies: true,
};

/**
 * Streams the responses of a filter as a file, with few rows in memory at a time. If the database fails, the stream
 * breaks off, so that half a file is not taken for a whole one.
 * Fails as `listResponses` does, before anything is written.
 * @param bodies false leaves the bodies out
 */
export async function streamResponses(filter: ResponseFilter, format: Format, bodies = true) {
  const batches = readPartsFromReplica(loadAllResponses(filter, format.bodies && bodies));
  const first = await batches.next();
  if (first.value && !first.value.ok) return first.value;
  return succeed(streamFile(writeLines(format, first.value?.value ?? [], batches)));
}

async function* writeLines(
  { head, writeLine }: Format,
  first: ResponseRow[],
  rest: AsyncGenerator<Outcome<ResponseRow[]>>,
): AsyncGenerator<string> {
  yield head + first.map(writeLine).join("");
  for await (const batch of rest) {
    if (!batch.ok) throw new Error(batch.failure.message);
    yield batch.value.map(writeLine).join("");
  }
}

const WINDOW_ROWS = 1_000;
/** Limit of bodies in memory, unless a single one is larger. */
const CHUNK_BYTES = 512 * 1024;

type MeasuredRow = ResponseRow & { bytes: number };

interface Window {
  rows: MeasuredRow[];
  /** Where to continue; null after the last row of the list. */
  end: PageCursor | null;
}

/**
 * Loads all responses of a filter, newest first, a few at a time, with constant memory. Rows stored later are left
 * out. Ends after a failure, as of `listResponses`.
 */
async function* loadAllResponses(
  filter: ResponseFilter,
  bodies: boolean,
): AsyncGenerator<Outcome<ResponseRow[]>, undefined> {
  const sql = prefixFailure(FETCH_FAILED, await withDatabase((db) => buildFilterSql(db, filter)));
  if (!sql.ok) {
    yield sql;
    return;
  }
  // Texts without an index are searched among the newest rows only, like in the list.
  let left = sql.value.indexed ? Number.POSITIVE_INFINITY : NEWEST_RESPONSES;
  let cursor: PageCursor | null = null;
  do {
    const from: PageCursor | null = cursor;
    const size = Math.min(WINDOW_ROWS, left);
    const window: Outcome<Window> = await withDatabase((db) => loadWindow(db, sql.value, from, size, bodies));
    if (!window.ok) {
      yield prefixFailure(FETCH_FAILED, window);
      return;
    }
    for (const chunk of cutIntoChunks(window.value.rows)) {
      const read = bodies ? await withDatabase((db) => loadBodies(db, chunk)) : succeed(chunk);
      yield prefixFailure(FETCH_FAILED, read);
      if (!read.ok) return;
    }
    cursor = window.value.end;
    left -= WINDOW_ROWS;
  } while (cursor !== null && left > 0);
}

/** Loads the matching rows among the next `size` rows of the list. */
async function loadWindow(
  db: Db,
  { ordered, unordered }: FilterSql,
  cursor: PageCursor | null,
  size: number,
  bodies: boolean,
): Promise<Window> {
  const seen = Prisma.sql`
    SELECT r.* FROM responses r WHERE ${ordered} AND ${isBehind(cursor)} ${NEWEST_FIRST} LIMIT ${size}::int`;
  const ends =
    unordered &&
    (await db.$queryRaw<PageCursor[]>`
      SELECT r.created_at AS "createdAt", r.id FROM (${seen}) r ${NEWEST_FIRST} OFFSET ${size - 1}::int LIMIT 1`);
  const measure = bodies
    ? Prisma.sql`(SELECT coalesce(octet_length(b.request_data), 0) + coalesce(octet_length(b.response_data), 0)
          + coalesce(octet_length(b.response_bytes), 0)
        FROM response_bodies b WHERE b.response_id = r.id)`
    : Prisma.sql`0`;
  const rows = await db.$queryRaw<MeasuredRow[]>`
    SELECT ${LISTED_COLUMNS}, ${REFUSED_COLUMN}, coalesce(${measure}, 0)::int AS bytes
    FROM (${seen}) r ${JOIN_LISTED}
    WHERE ${unordered ?? Prisma.sql`TRUE`} ${NEWEST_FIRST}`;
  if (ends) return { rows, end: ends[0] ?? null };
  const last = rows.length === size ? rows.at(-1) : undefined;
  return { rows, end: last ? { createdAt: last.created_at, id: last.id } : null };
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
  const found = await db.$queryRaw<(Partial<ResponseRow> & { response_id: string })[]>`
    SELECT b.response_id, ${BODY_COLUMNS} FROM response_bodies b
    WHERE b.response_id = ANY(${rows.map(({ id }) => id)}::text[])`;
  const byId = new Map(found.map(({ response_id, ...bodies }) => [response_id, bodies]));
  const none = { request_data: null, response_data: null, response_headers: null, response_bytes: null };
  return rows.map((row) => ({ ...row, ...(byId.get(row.id) ?? none) }));
}
