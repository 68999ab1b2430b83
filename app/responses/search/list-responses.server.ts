import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { formatCursor, type PageCursor } from "~/platform/page-cursor";
import { Prisma } from "../../../prisma/client/client";
import { FETCH_FAILED, prefixFailure } from "../messages";
import {
  JOIN_LISTED,
  LISTED_COLUMNS,
  REFUSED_COLUMN,
  type ResponsePage,
  type ResponseRow,
} from "../response-row.server";
import { waitForSaves } from "../save/save-in-background.server";
import type { ResponseQuery } from "./filter.schema.server";
import { buildFilterSql, type FilterSql, isBehind, NEWEST_FIRST } from "./filter-sql.server";

interface Wanted {
  filter: FilterSql;
  cursor: PageCursor | null;
  limit: number;
  bodies: boolean;
}

/** Has one row more than `limit` when there are more. */
type Found = Omit<ResponsePage, "nextCursor">;

const MAX_COUNT = 1_000;
/** Number of newest rows among which texts without a trigram are searched and common texts counted. */
export const NEWEST_RESPONSES = 5_000;
/** A text or tag is common if this many rows fill a page. */
const WALK_ROWS = 2_000;
const LISTED_BODY_BYTES = 128 * 1024;
const NO_ROWS = Prisma.sql`SELECT r.id, r.created_at FROM responses r WHERE FALSE`;

/**
 * Lists a page of stored responses, newest first, in milliseconds among a million. A body over 128 KB is replaced by a
 * sentence that says where to read it. Fails as the database does.
 */
export async function listResponses(query: ResponseQuery): Promise<Outcome<ResponsePage>> {
  const { cursor, limit, bodies } = query;
  await waitForSaves();
  const read = await withDatabase(async (db) =>
    searchResponses(db, { filter: await buildFilterSql(db, query.filter), cursor, limit, bodies }),
  );
  const found = prefixFailure(FETCH_FAILED, read);
  if (!found.ok) return found;
  const rows = found.value.rows.slice(0, limit);
  const last = found.value.rows.length > limit ? rows.at(-1) : undefined;
  const nextCursor = last ? formatCursor({ createdAt: last.created_at, id: last.id }) : null;
  return succeed({ ...found.value, rows, nextCursor });
}

/**
 * Finds the rows of a filter after a cursor, newest first, and counts all its rows.
 * Most conditions have an index in list order. Common tags and texts are found by walking through the newest rows,
 * rare ones by their own index.
 */
async function searchResponses(db: Db, wanted: Wanted): Promise<Found> {
  const { filter } = wanted;
  if (filter.unordered === null) return searchInOrder(db, wanted);
  if (!filter.indexed) return searchNewest(db, wanted, filter.unordered);
  const rows = await loadRows(db, wanted, walk(filter, wanted.cursor, WALK_ROWS, wanted.limit + 1));
  if (rows.length <= wanted.limit) return searchByIndex(db, wanted);
  return { rows, matching: await countCommon(db, filter), searchedNewest: null };
}

async function searchInOrder(db: Db, wanted: Wanted): Promise<Found> {
  const { filter, cursor, limit } = wanted;
  const source = Prisma.sql`
    SELECT r.* FROM responses r WHERE ${filter.ordered} AND ${isBehind(cursor)} ${NEWEST_FIRST} LIMIT ${limit + 1}::int`;
  const rows = await loadRows(db, wanted, source);
  const all = cursor === null && rows.length <= limit;
  const inOrder = Prisma.sql`SELECT 1 FROM responses r WHERE ${filter.ordered} ${NEWEST_FIRST} LIMIT ${MAX_COUNT + 1}::int`;
  const matching = all ? { count: rows.length, more: false } : await count(db, inOrder);
  return { rows, matching, searchedNewest: null };
}

/** Searches the newest rows only, because no index finds these texts. The page says so. */
async function searchNewest(db: Db, wanted: Wanted, unordered: Prisma.Sql): Promise<Found> {
  const { filter, cursor, limit } = wanted;
  const newest = Prisma.sql`
    SELECT * FROM (
      SELECT r.* FROM responses r WHERE ${filter.ordered} ${NEWEST_FIRST} LIMIT ${NEWEST_RESPONSES}::int
    ) r WHERE ${unordered}`;
  const source = Prisma.sql`
    SELECT * FROM (${newest}) r WHERE ${isBehind(cursor)} ${NEWEST_FIRST} LIMIT ${limit + 1}::int`;
  const rows = await loadRows(db, wanted, source);
  return { rows, matching: await count(db, newest), searchedNewest: NEWEST_RESPONSES };
}

/** Finds all matching rows by the index of texts or tags, which has no order, and sorts them. */
async function searchByIndex(db: Db, wanted: Wanted): Promise<Found> {
  const { filter, cursor, limit } = wanted;
  const { split } = filter;
  const hits = Prisma.sql`
    SELECT r.id, r.created_at FROM responses r
    WHERE ${filter.ordered} AND ${split ? Prisma.sql`${split.tag} AND ${split.others}` : (filter.unordered ?? Prisma.sql`FALSE`)}`;
  const found = await db.$queryRaw<{ ids: string[]; number: bigint }[]>`
    WITH hits AS MATERIALIZED (${hits}),
      users_rows AS MATERIALIZED (${split ? selectOfUsers(wanted, split) : NO_ROWS}),
      candidates AS (SELECT id, created_at FROM hits r WHERE ${isBehind(cursor)} UNION ALL SELECT id, created_at FROM users_rows)
    SELECT ARRAY(SELECT r.id FROM candidates r ${NEWEST_FIRST} LIMIT ${limit + 1}::int) AS ids,
      (SELECT count(*) FROM hits) + (${split ? countOfUsers(filter, split) : Prisma.sql`0`}) AS number`;
  const { ids = [], number = 0n } = found[0] ?? {};
  const rows =
    ids.length === 0
      ? []
      : await loadRows(db, wanted, Prisma.sql`SELECT r.* FROM responses r WHERE r.id = ANY(${ids}::text[])`);
  return { rows, matching: capCount(Number(number)), searchedNewest: null };
}

type Split = NonNullable<FilterSql["split"]>;

/** Selects a page of rows of each user whose name matches, by the index of each user's rows. */
function selectOfUsers({ filter, cursor, limit }: Wanted, { userIds, tag }: Split): Prisma.Sql {
  return Prisma.sql`
    SELECT newest.* FROM unnest(${userIds}::text[]) AS whose (user_id), LATERAL (
      SELECT r.id, r.created_at FROM responses r
      WHERE r.user_id = whose.user_id AND ${filter.ordered} AND ${tag} AND ${isBehind(cursor)}
      ${NEWEST_FIRST} LIMIT ${limit + 1}::int
    ) newest`;
}

function countOfUsers({ ordered }: FilterSql, { userIds, tag }: Split): Prisma.Sql {
  return Prisma.sql`
    SELECT count(*) FROM unnest(${userIds}::text[]) AS whose (user_id), LATERAL (
      SELECT 1 FROM responses r WHERE r.user_id = whose.user_id AND ${ordered} AND ${tag}
      ${NEWEST_FIRST} LIMIT ${MAX_COUNT + 1}::int
    ) counted`;
}

/** Counts among the newest rows only, as "at least", because counting all would take too long. */
async function countCommon(db: Db, filter: FilterSql): Promise<Found["matching"]> {
  const rows = await db.$queryRaw<{ number: bigint; beyond: boolean }[]>`
    SELECT (SELECT count(*) FROM (${walk(filter, null, NEWEST_RESPONSES, MAX_COUNT + 1)}) AS found) AS number,
      EXISTS (
        SELECT 1 FROM responses r WHERE ${filter.ordered} ${NEWEST_FIRST} OFFSET ${NEWEST_RESPONSES}::int LIMIT 1
      ) AS beyond`;
  const { number = 0n, beyond = false } = rows[0] ?? {};
  const { count: counted, more } = capCount(Number(number));
  return { count: counted, more: more || beyond };
}

/** Selects the matching rows among the next `rows` of the list. */
function walk(filter: FilterSql, cursor: PageCursor | null, rows: number, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM (
      SELECT r.* FROM responses r WHERE ${filter.ordered} AND ${isBehind(cursor)} ${NEWEST_FIRST} LIMIT ${rows}::int
    ) r WHERE ${filter.unordered ?? Prisma.sql`TRUE`} ${NEWEST_FIRST} LIMIT ${limit}::int`;
}

async function count(db: Db, source: Prisma.Sql): Promise<Found["matching"]> {
  const rows = await db.$queryRaw<{ number: bigint }[]>`
    SELECT count(*) AS number FROM (${source}) AS counted`;
  return capCount(Number(rows[0]?.number ?? 0));
}

function capCount(number: number): Found["matching"] {
  return { count: Math.min(number, MAX_COUNT), more: number > MAX_COUNT };
}

/** @param source a query for the wanted rows of `responses` */
function loadRows(db: Db, { bodies }: Wanted, source: Prisma.Sql): Promise<ResponseRow[]> {
  const more = bodies
    ? Prisma.sql`, ${listBody("request_data")}, ${listBody("response_data")}, b.response_headers`
    : Prisma.empty;
  const join = bodies ? Prisma.sql`LEFT JOIN response_bodies b ON b.response_id = r.id` : Prisma.empty;
  return db.$queryRaw<ResponseRow[]>`
    SELECT ${LISTED_COLUMNS}, ${REFUSED_COLUMN}${more} FROM (${source}) r ${JOIN_LISTED} ${join} ${NEWEST_FIRST}`;
}

function listBody(name: "request_data" | "response_data"): Prisma.Sql {
  const column = Prisma.raw(`b.${name}`);
  return Prisma.sql`
    CASE WHEN octet_length(${column}) <= ${LISTED_BODY_BYTES}::int OR ${column} IS NULL THEN ${column}
      ELSE to_json('[too large for a list: ' || octet_length(${column}) || ' bytes, see /api/responses/' || r.id || ']')::text
    END AS ${Prisma.raw(name)}`;
}
