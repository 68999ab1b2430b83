import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatCursor, parseCursor } from "~/platform/page-cursor";
import { FETCH_FAILED, prefixFailure, RESPONSE_NOT_FOUND } from "../messages";
import {
  BODY_COLUMNS,
  JOIN_LISTED,
  LISTED_COLUMNS,
  REFUSED_COLUMN,
  type ResponseRow,
  type RowPage,
  toStoredResponse,
} from "../response-row.server";
import { waitForSaves } from "../save/auto-save.server";
import type { ResponsePage, StoredResponse } from "../stored-response";
import type { ResponseQuery } from "./filter.schema.server";
import { buildFilterSql } from "./filter-sql.server";
import { type FoundResponses, searchResponses } from "./search-responses.server";

/**
 * Lists a page of stored responses, newest first. A body over 128 KB is replaced by a sentence that says where to read it.
 * Fails with `not_configured` or `database_unavailable`.
 */
export async function listResponses(query: ResponseQuery): Promise<Outcome<ResponsePage>> {
  const page = await listResponseRows(query);
  if (!page.ok) return page;
  const { rows, ...rest } = page.value;
  return succeed({ ...rest, responses: rows.map(toStoredResponse) });
}

/** Lists a page with bodies as JSON texts, for answers that only pass them on. */
export async function listResponseRows(query: ResponseQuery): Promise<Outcome<RowPage>> {
  const { filter, limit, bodies } = query;
  const cursor = query.cursor === null ? null : parseCursor(query.cursor);
  await waitForSaves();
  const read = await withDatabase(async (db) =>
    searchResponses(db, { filter: await buildFilterSql(db, filter), cursor, limit, bodies }),
  );
  return read.ok ? succeed(toPage(read.value, limit)) : prefixFailure(FETCH_FAILED, read);
}

/** Finds a stored response with its bodies; null when there is none with this id. Fails as {@link listResponses}. */
export async function findResponse(id: string): Promise<Outcome<StoredResponse | null>> {
  const found = await findResponseRow(id);
  return found.ok ? succeed(found.value && toStoredResponse(found.value)) : found;
}

/** Finds a stored response with bodies as JSON texts. */
export async function findResponseRow(id: string): Promise<Outcome<ResponseRow | null>> {
  await waitForSaves();
  const found = await withDatabase(
    (db) => db.$queryRaw<ResponseRow[]>`
      SELECT ${LISTED_COLUMNS}, ${REFUSED_COLUMN}, ${BODY_COLUMNS}
      FROM responses r ${JOIN_LISTED} LEFT JOIN response_bodies b ON b.response_id = r.id
      WHERE r.id = ${toId(id)} AND r.deleted_at IS NULL`,
  );
  return found.ok ? succeed(found.value[0] ?? null) : prefixFailure(FETCH_FAILED, found);
}

/** Loads a stored response as {@link findResponseRow}. Fails also with `not_found`. */
export async function loadResponseRow(id: string): Promise<Outcome<ResponseRow>> {
  const found = await findResponseRow(id);
  if (!found.ok) return found;
  return found.value ? succeed(found.value) : fail("not_found", RESPONSE_NOT_FOUND);
}

/** Returns an id as it is; "" for any other text, which may contain characters that the database refuses. */
export function toId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : "";
}

function toPage({ rows, matching, searchedNewest }: FoundResponses, limit: number): RowPage {
  const visible = rows.slice(0, limit);
  const last = visible.at(-1);
  const nextCursor =
    last && rows.length > limit ? formatCursor({ createdAt: last.created_at, id: last.id }) : null;
  return { rows: visible, nextCursor, matching, searchedNewest };
}
