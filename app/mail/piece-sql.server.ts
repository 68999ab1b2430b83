import type { MailType } from "~/pieces/mail-type";
import { IS_BEING_CHECKED, IS_OPEN } from "~/pieces/transition-sql.server";
import { hasWords, NEWEST_ROWS } from "~/platform/database/search-sql.server";
import type { PageCursor } from "~/platform/page-cursor";
import { splitWords } from "~/platform/search-words";
import { Prisma } from "../../prisma/client/client";
import { CHECKING, HELD, isOpenStatus, MAILED, NEEDS_DECISION, type PieceFilter } from "./piece-filter";

/**
 * The list of pieces as SQL: one branch for each type of mail item, and one for the few live pieces without one. Each
 * branch has an index in list order.
 */

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

/** A part of the list: its columns, and its table with conditions that an index answers in order. */
interface Branch {
  columns: Prisma.Sql;
  from: Prisma.Sql;
}

/** Selects the newest `limit` pieces of a filter after a cursor. */
export function selectNewest(filter: PieceFilter, cursor: PageCursor | null, limit: number): Prisma.Sql {
  const page = Prisma.sql`${NEWEST_FIRST} LIMIT ${limit}::int`;
  // The indexes of texts and of a list's rows have no order.
  const inOrder = filter.search === null && filter.list === null;
  const all = unite(
    listBranches(filter, cursor).map(
      ({ columns, from }) => Prisma.sql`SELECT ${columns} ${from} ${inOrder ? page : Prisma.empty}`,
    ),
  );
  return inOrder
    ? Prisma.sql`SELECT * FROM (${all}) p ${page}`
    : Prisma.sql`WITH hits AS MATERIALIZED (${all}) SELECT * FROM hits ${page}`;
}

/** Selects the newest pieces that a search finds among the next ones of its filter; null without a search. */
export function selectFoundInOrder(
  filter: PieceFilter,
  cursor: PageCursor | null,
  limit: number,
): Prisma.Sql | null {
  const found = buildSearch(filter);
  if (!found) return null;
  return Prisma.sql`SELECT * FROM (${selectNewest({ ...filter, search: null }, cursor, NEWEST_ROWS)}) p
    WHERE ${found} ${NEWEST_FIRST} LIMIT ${limit}::int`;
}

/**
 * Selects the statuses of up to `limit` pieces of each branch, for a search: no index has both texts and statuses.
 */
export function selectStatuses(filter: PieceFilter, limit: number): Prisma.Sql {
  return unite(
    listBranches(filter).map(
      ({ columns, from }) => Prisma.sql`SELECT status FROM (SELECT ${columns} ${from} LIMIT ${limit}::int) p`,
    ),
  );
}

/** Counts the pieces of a filter up to `limit`, by index. */
export function countPieces(filter: PieceFilter, limit: number): Prisma.Sql {
  const counts = listBranches(filter).map(
    ({ from }) => Prisma.sql`(SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${limit}::int) c)`,
  );
  return Prisma.sql`least(${Prisma.join(counts, " + ")}, ${limit}::int)::int`;
}

function unite(selects: Prisma.Sql[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(selects, ") UNION ALL (")})`;
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
  const items = (type ? [type] : TYPES).flatMap((one) =>
    listKinds(filter).map((kind) =>
      select(ITEM_COLUMNS, Prisma.sql`mail_items`, Prisma.sql`type = ${one}`, kind),
    ),
  );
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
