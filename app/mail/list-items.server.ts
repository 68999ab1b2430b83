/**
 * The list of pieces as SQL: one branch for each type of mail item, and one for the few live pieces without one. Each
 * branch has an index in list order.
 */

import { isViewerOrStored, NO_SUCH_USER } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { MailType } from "~/pieces/mail-type";
import { IS_LIST_OF_SEND } from "~/pieces/send/send-record.server";
import type { PieceState } from "~/pieces/states";
import { STATUS_WORDS } from "~/pieces/status";
import { IS_BEING_CHECKED, IS_OPEN } from "~/pieces/transition-sql.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { hasWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import type { Outcome } from "~/platform/outcome";
import { cutPage, type Page, type PageCursor } from "~/platform/page-cursor";
import { splitWords } from "~/platform/search-words";
import { type MailItem, Prisma } from "../../prisma/client/client";
import { HELD } from "./mail-address";
import { CHECKING, isOpenStatus, MAILED, NEEDS_DECISION, type PieceFilter } from "./piece-filter";

/** A listed piece: a mail item, or live mail with an unknown outcome. */
export interface ListedPiece
  extends Pick<
    MailItem,
    | ("userId" | "method" | "path" | "place" | "status" | "statusAt" | "isCancelled" | "cancelledAt")
    | ("cancellationReason" | "createdAt")
  > {
  /** Our id; for live mail the id of its send, whose page is `/sends/<id>`. */
  id: string;
  /** The name of its user. */
  userName: string;
  username: string;
  type: MailType;
  /** `postcards.create` */
  preset: string;
  /** The provider's id; "0" for a test, null when the provider named none. */
  mailItemId: string | null;
  /** "Ana Lopez", or "Recipient 1001" when the name is unknown. */
  addressee: string | null;
  isTest: boolean;
  /** Null for a test. */
  state: PieceState | null;
  /** Credits that it costs, held until its outcome is known. */
  cost: number;
  /** Credits that were charged for it; a cancel gives them back. */
  charged: number;
  /** True while an alarm about it is open. */
  hasAlarm: boolean;
  /** Name of the list that sent it; null when it was sent alone. */
  listName: string | null;
}

/** Formats an item for `/api/mail/items`: the public fields first, then our own. */
export function toWireItem(item: ListedPiece) {
  return {
    id: item.id,
    preset: item.preset,
    status: item.status,
    method: item.method,
    type: `${item.type}s` as const,
    path: item.path,
    createdAt: item.createdAt.toISOString(),
    mailItemId: item.mailItemId,
    isCancelled: item.isCancelled,
    cancelledAt: item.cancelledAt?.toISOString() ?? null,
    cancellationReason: item.cancellationReason,
    isTest: item.isTest,
    isCancelling: item.state === "cancelling",
    addressee: item.addressee,
    statusAt: item.statusAt.toISOString(),
    charged: item.isCancelled ? 0 : item.charged,
    sendId: item.isTest ? null : item.id,
  };
}

const MAIL_PAGE_ROWS = 50;

/**
 * Lists the letters and postcards of a user, or of all, newest first, a page at a time. Fails with `not_found` for an
 * unknown user, `not_configured` or `database_unavailable`.
 */
export async function listMailItems(
  query: { filter: PieceFilter; cursor: PageCursor | null; limit?: number | undefined },
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<Page<ListedPiece>>> {
  const { filter, cursor, limit = MAIL_PAGE_ROWS } = query;
  return withDatabase(async (db) => {
    if (filter.userId !== null && !(await isViewerOrStored(db, filter.userId, viewer))) return NO_SUCH_USER;
    const inOrder = selectFoundInOrder(filter, cursor, limit + 1);
    const rows = inOrder ? await loadRows(db, inOrder) : [];
    const isPage = rows.length > limit;
    return cutPage(isPage ? rows : await loadRows(db, selectNewest(filter, cursor, limit + 1)), limit);
  });
}

/** @param source a query for the wanted pieces */
async function loadRows(db: Db, source: Prisma.Sql): Promise<ListedPiece[]> {
  const rows = await db.$queryRaw<ListedPiece[]>`
      SELECT i.id, i.user_id AS "userId", i.type, i.preset, i.method, i.path, i.provider_id AS "mailItemId",
        i.addressee, i.place, i.status, i.status_at AS "statusAt", i.test AS "isTest", i.is_cancelled AS "isCancelled",
        i.cancelled_at AS "cancelledAt",
        i.cancellation_reason AS "cancellationReason", coalesce(s.charged, 0) AS charged, coalesce(s.cost, 0) AS cost,
        state, i.created_at AS "createdAt", EXISTS (
          SELECT 1 FROM alarms a WHERE a.subject_type = 'piece' AND a.subject_id = i.id AND a.closed_at IS NULL
        ) AS "hasAlarm", u.display_name AS "userName", u.username, (
          SELECT l.name FROM bulk_lists l WHERE ${IS_LIST_OF_SEND}
        ) AS "listName"
      FROM (${source}) i JOIN users u ON u.id = i.user_id LEFT JOIN sends s ON s.id = i.send_id
      ORDER BY i.created_at DESC, i.id DESC`;
  // A test has no send, hence no state.
  return rows.map((row) => (row.isTest ? { ...row, state: null } : row));
}

const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;

const MAIL_ID = /^\d{4,20}$/;
const TYPES: readonly MailType[] = ["letter", "postcard"];
const ITEM_COLUMNS = Prisma.sql`id, user_id, send_id, type, preset, method, path, provider_id, addressee, place, status,
  status_at, test, is_cancelled, cancelled_at, cancellation_reason, created_at, search_text`;
const OPEN_COLUMNS = Prisma.sql`id, user_id, id AS send_id, mail_type AS type, replace(path, '/', '.') AS preset, method,
  path, NULL::text AS provider_id, coalesce(recipient_name, 'Recipient ' || recipient_id) AS addressee,
  recipient_place AS place, CASE state WHEN 'needs_review' THEN ${NEEDS_DECISION} ELSE ${CHECKING} END AS status,
  created_at AS status_at, false AS test, false AS is_cancelled, NULL::timestamptz AS cancelled_at,
  NULL::text AS cancellation_reason, created_at, search_text`;

/** A part of the list: its columns, and its table with conditions that an index answers, in order unless a text is searched. */
interface Branch {
  columns: Prisma.Sql;
  from: Prisma.Sql;
}

function selectNewest(filter: PieceFilter, cursor: PageCursor | null, limit: number): Prisma.Sql {
  const page = Prisma.sql`${NEWEST_FIRST} LIMIT ${limit}::int`;
  const inOrder = hasOrder(filter);
  const all = unite(
    listBranches(filter, cursor),
    ({ columns, from }) => Prisma.sql`SELECT ${columns} ${from} ${inOrder ? page : Prisma.empty}`,
  );
  return inOrder
    ? Prisma.sql`SELECT * FROM (${all}) p ${page}`
    : Prisma.sql`WITH hits AS MATERIALIZED (${all}) SELECT * FROM hits ${page}`;
}

/** False for a search and for a list's rows: their indexes have neither types nor an order. */
function hasOrder({ search, list }: PieceFilter): boolean {
  return search === null && list === null;
}

/** Selects the newest pieces that a search finds among the next ones of its filter; null without a search. */
function selectFoundInOrder(filter: PieceFilter, cursor: PageCursor | null, limit: number) {
  const found = buildSearch(filter);
  if (!found) return null;
  return Prisma.sql`SELECT * FROM (${selectNewest({ ...filter, search: null }, cursor, NEWEST_ROWS)}) p
    WHERE ${found} ${NEWEST_FIRST} LIMIT ${limit}::int`;
}

/** Selects the statuses of up to `limit` mailed and open pieces, for a search: no index has both texts and statuses. */
function selectStatuses(filter: PieceFilter, limit: number): Prisma.Sql {
  return unite(
    listBranches(filter),
    ({ columns, from }) => Prisma.sql`SELECT status FROM (SELECT ${columns} ${from} LIMIT ${limit}::int) p`,
  );
}

/** Counts the pieces of a filter up to `limit`, by index. */
function countPieces(filter: PieceFilter, limit: number): Prisma.Sql {
  const counts = listBranches(filter).map(
    ({ from }) => Prisma.sql`(SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${limit}::int) c)`,
  );
  return Prisma.sql`least(${Prisma.join(counts, " + ")}, ${limit}::int)::int`;
}

function unite(branches: Branch[], select: (branch: Branch) => Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(branches.map(select), ") UNION ALL (")})`;
}

function listBranches(filter: PieceFilter, cursor: PageCursor | null = null): Branch[] {
  const { type, status } = filter;
  const after = cursor
    ? [Prisma.sql`(created_at, id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`]
    : [];
  const select = (columns: Prisma.Sql, table: Prisma.Sql, ...own: Prisma.Sql[]): Branch => {
    const conditions = Prisma.join([...limitTo(filter), ...own, ...after], " AND ");
    return { columns, from: Prisma.sql`FROM ${table} WHERE ${conditions}` };
  };
  const isOpen = isOpenStatus(status);
  const types = type ? [type] : [...TYPES];
  const kinds = listKinds(filter);
  const selectItems = (...own: Prisma.Sql[]) => select(ITEM_COLUMNS, Prisma.sql`mail_items`, ...own);
  const items = hasOrder(filter)
    ? types.flatMap((one) => kinds.map((kind) => selectItems(Prisma.sql`type = ${one}`, kind)))
    : [selectItems(Prisma.sql`type = ANY(${types}::text[])`, Prisma.sql`(${Prisma.join(kinds, " OR ")})`)];
  if (!filter.open || (status !== null && !isOpen)) return items;
  const ofType = type ? [Prisma.sql`mail_type = ${type}`] : [];
  const open = select(OPEN_COLUMNS, Prisma.sql`sends`, isInOpenState(status), ...ofType);
  return isOpen ? [open] : [...items, open];
}

/** Lists the kinds of items that a filter has. A status already separates tests from live mail. */
function listKinds({ status, tests }: PieceFilter): Prisma.Sql[] {
  if (status !== null && status !== MAILED) return [Prisma.sql`status = ${status}`];
  const live = Prisma.sql`test = false`;
  return tests && status !== MAILED ? [live, Prisma.sql`test = true`] : [live];
}

function isInOpenState(status: string | null): Prisma.Sql {
  if (status === null || status === HELD) return IS_OPEN;
  return status === NEEDS_DECISION ? Prisma.sql`state = 'needs_review'` : IS_BEING_CHECKED;
}

/**
 * Builds the search: every word begins a word of the name or place, or the text is the mail ID. Null without a
 * search.
 */
function buildSearch({ search }: PieceFilter): Prisma.Sql | null {
  if (search === null) return null;
  const words = splitWords(search);
  const found = words.length > 0 ? hasWords(Prisma.sql`search_text`, words) : Prisma.sql`FALSE`;
  return MAIL_ID.test(search) ? Prisma.sql`(${found} OR provider_id = ${search})` : found;
}

/** Lists the conditions on columns that both tables share. */
function limitTo(filter: PieceFilter): Prisma.Sql[] {
  const { userId, from, before, list, ids } = filter;
  const found = buildSearch(filter);
  return [
    ...(userId === null ? [] : [Prisma.sql`user_id = ${userId}`]),
    ...(from ? [Prisma.sql`created_at >= ${from}::timestamptz`] : []),
    ...(before ? [Prisma.sql`created_at < ${before}::timestamptz`] : []),
    ...(found ? [found] : []),
    ...(list ? [Prisma.sql`id = ANY(ARRAY(SELECT send_id FROM bulk_rows WHERE list_id = ${list}))`] : []),
    ...(ids ? [Prisma.sql`id = ANY(${[...ids]}::text[])`] : []),
  ];
}

/** Limit of counting, so that a long list costs no more than a short one. */
const MAX_COUNT = 1_000;
/** Limit of the rows of a list, all of which are counted. */
const MAX_OF_LIST = 50_000;
const STATUSES: readonly string[] = [CHECKING, NEEDS_DECISION, ...STATUS_WORDS];

/** The number of pieces with a status; `status` is null for all pieces. */
export interface Count {
  status: string | null;
  count: number;
  /** More than `count`. */
  more: boolean;
}

/**
 * Counts the pieces of a filter in all, then by status, whatever status it names; statuses without pieces are left out.
 * Counts up to 1,000 each, by index. Fails as the database does.
 */
export async function countStatuses(filter: PieceFilter): Promise<Outcome<Count[]>> {
  if (filter.search !== null || filter.list !== null) return countFound(filter);
  const statuses = STATUSES.filter((status) => filter.tests || status !== "test");
  const counts = [null, ...statuses].map((status) => countPieces({ ...filter, status }, MAX_COUNT + 1));
  return withDatabase(async (db) => {
    const [found] = await db.$queryRaw<{ counts: number[] }[]>`
      SELECT ARRAY[${Prisma.join(counts)}] AS counts`;
    return [null, ...statuses].flatMap((status, place) => {
      const count = found?.counts[place] ?? 0;
      if (count === 0 && status !== null) return [];
      return [{ status, count: Math.min(count, MAX_COUNT), more: count > MAX_COUNT }];
    });
  });
}

/** Counts the first 1,000 that a search finds, and all pieces of a list. */
function countFound(filter: PieceFilter): Promise<Outcome<Count[]>> {
  const most = filter.list === null ? MAX_COUNT : MAX_OF_LIST;
  return withDatabase(async (db) => {
    const found = await db.$queryRaw<{ status: string; count: number }[]>`
      SELECT status, count(*)::int AS count FROM (${selectStatuses({ ...filter, status: null }, most + 1)}) p
      GROUP BY status`;
    const total = found.reduce((sum, { count }) => sum + count, 0);
    const more = total > most;
    const counts = found
      .map((counted) => ({ ...counted, more }))
      .sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
    return [{ status: null, count: Math.min(total, most), more }, ...counts];
  });
}
