import { formatActorName, toActorId } from "~/people/actor";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import type { ValueOf } from "~/platform/outcome";
import { cutNumberedPage, parseRowId } from "~/platform/page-cursor";
import { formatMoment } from "~/ui/moment";
import { type ApiCall, Prisma } from "../../prisma/client/client";
import { FAILURE_DAYS, type LogFilter, logAddress, STATUS_CLASSES } from "./api-log-view";

const PAGE_ROWS = 50;
const MAX_GROUPS = 50;
/** Newest calls that a filter without an index searches. */
const SEARCHED = 100_000;
const MAX_TOKENS = 200;

interface StoredCall extends Omit<ApiCall, "id" | "tokenId"> {
  id: string;
  userName: string | null;
  tokenName: string | null;
}

interface StoredFailure extends Omit<StoredCall, "id" | "at" | "requestId" | "durationMs"> {
  count: number;
  first: Date;
  last: Date;
  newestId: string;
  callers: number;
}

export type ApiLogView = ValueOf<typeof loadApiLog>;

export type FoundCall = Pick<StoredCall, "requestId" | "at" | "method" | "path" | "status" | "reason">;

/** Columns of the caller of a call `c`. */
const CALLER = Prisma.sql`coalesce(t.user_id, c.user_id) AS "userId", u.display_name AS "userName", t.name AS "tokenName"`;
const JOIN_CALLER = Prisma.sql`
  LEFT JOIN tokens t ON t.id = c.token_id LEFT JOIN users u ON u.id = coalesce(t.user_id, c.user_id)`;

/** Loads a page of calls, newest first, and the recent failures by reason. Fails as the database does. */
export function loadApiLog(query: URLSearchParams, now: Date) {
  const filter: LogFilter = {
    id: readText(query, "id"),
    token: readText(query, "token"),
    path: readText(query, "path"),
    status: readText(query, "status"),
  };
  const before = parseRowId(query.get("before"));
  const isFiltered = Object.values(filter).some((value) => value !== "") || before !== null;
  return withDatabase(async (db) => {
    const rows = await listCalls(db, filter, before);
    const { visible, ...pages } = cutNumberedPage(rows, PAGE_ROWS, before, (id) => logAddress(filter, id));
    return {
      filter,
      tokens: await listCallingTokens(db),
      calls: visible.map((row) => toCallRow(row, now)),
      failures: isFiltered ? [] : (await listFailures(db)).map((row) => toFailureRow(row, now)),
      ...pages,
    };
  });
}

/** Finds the newest call with this request ID, in a list. Callers may reuse an ID. */
export function findCallById(db: Db, id: string): Promise<FoundCall[]> {
  return db.$queryRaw<FoundCall[]>`
    SELECT c.request_id AS "requestId", c.at, c.method, c.path, c.status, c.reason FROM api_calls c
    WHERE c.request_id = ${id} ORDER BY c.id DESC LIMIT 1`;
}

function readText(query: URLSearchParams, name: keyof LogFilter): string {
  return (query.get(name) ?? "").trim().slice(0, 100);
}

function listCalls(db: Db, { id, token, path, status }: LogFilter, before: string | null) {
  const isClass = STATUS_CLASSES.some((known) => known === status);
  const hundred = isClass ? Number(status.charAt(0)) * 100 : Number(/^\d{3}$/.exec(status)?.[0] ?? -1);
  const indexed = Prisma.sql`(${before}::bigint IS NULL OR c.id < ${before}::bigint)
    ${id === "" ? Prisma.empty : Prisma.sql`AND c.request_id = ${id}`}
    ${token === "" ? Prisma.empty : Prisma.sql`AND c.token_id = ${token}`}`;
  return db.$queryRaw<StoredCall[]>`
    SELECT c.id::text, c.at, c.request_id AS "requestId", c.method, c.path, c.about, c.status, c.duration_ms AS "durationMs",
      c.reason, ${CALLER}
    FROM (
      SELECT * FROM (SELECT * FROM api_calls c WHERE ${indexed} ORDER BY c.id DESC LIMIT ${SEARCHED}::int) c
      WHERE (${path} = '' OR position(${path} IN c.path || ' ' || coalesce(c.about, '')) > 0)
        AND (${status} = '' OR c.status BETWEEN ${hundred}::int AND ${isClass ? hundred + 99 : hundred}::int)
      ORDER BY c.id DESC LIMIT ${PAGE_ROWS + 1}::int
    ) c ${JOIN_CALLER} ORDER BY c.id DESC`;
}

function listCallingTokens(db: Db) {
  return db.$queryRaw<{ id: string; name: string }[]>`
    SELECT t.id, u.display_name || ' via ' || t.name AS name FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.last_used_at IS NOT NULL ORDER BY t.last_used_at DESC LIMIT ${MAX_TOKENS}::int`;
}

/** Lists failures by call and reason, the latest first. Calls to the provider differ by endpoint. */
function listFailures(db: Db): Promise<StoredFailure[]> {
  return db.$queryRaw<StoredFailure[]>`
    SELECT c.method, c.path, c.about, c.status, c.reason, c.count, c.first, c.last, n.request_id AS "newestId", c.callers, ${CALLER}
    FROM (
      SELECT method, path, about, status, reason, count(*)::int AS count, min(at) AS first, max(at) AS last, max(id) AS newest,
        count(DISTINCT coalesce(token_id, user_id, ''))::int AS callers
      FROM (
        SELECT id, at, method, path, CASE WHEN path = '/api/stannp' THEN about END AS about, status, reason, token_id, user_id
        FROM api_calls WHERE status >= 400 ORDER BY id DESC LIMIT ${SEARCHED}::int
      ) failed
      WHERE at > now() - ${FAILURE_DAYS}::int * interval '1 day'
      GROUP BY method, path, about, status, reason ORDER BY max(id) DESC LIMIT ${MAX_GROUPS}::int
    ) g JOIN api_calls n ON n.id = g.newest
    CROSS JOIN LATERAL (SELECT g.*, n.token_id, n.user_id) c ${JOIN_CALLER} ORDER BY c.newest DESC`;
}

function toCallRow({ at, userId, userName, tokenName, about, ...row }: StoredCall, now: Date) {
  return {
    ...row,
    at: formatMoment(at, now),
    about: about === null ? null : { text: about, href: findPage(row.path, about) },
    /** Null: no known session or token. */
    who: formatWho({ userId, userName, tokenName }),
  };
}

function findPage(path: string, about: string): string | null {
  if (path.startsWith("/api/pieces")) return `/sends/${encodeURIComponent(about)}`;
  if (path.startsWith("/api/responses/")) return `/stored/${encodeURIComponent(about)}`;
  return null;
}

function toFailureRow(row: StoredFailure, now: Date) {
  const { method, path, about, status, reason, count, newestId, callers } = row;
  const who = formatWho(row) ?? "Unknown caller";
  return {
    ...{ status, reason, count, newestId },
    call: [method, path, about].filter(Boolean).join(" "),
    first: formatMoment(row.first, now),
    last: formatMoment(row.last, now),
    who: callers > 1 ? `${who} and ${callers - 1} more` : who,
  };
}

type Caller = Pick<StoredCall, "userId" | "userName" | "tokenName">;

function formatWho({ userId, userName, tokenName }: Caller): string | null {
  return userId === null ? null : formatActorName(toActorId(userId, tokenName), userName);
}
