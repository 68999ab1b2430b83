import type { Db } from "~/platform/database/client";
import type { PageCursor } from "~/platform/page-cursor";
import { dropAccents } from "~/platform/search-words";
import { DAY_MS } from "~/platform/time";
import { Prisma } from "../../../prisma/client/client";
import type { ResponseFilter } from "./filter.schema.server";

/** A filter as SQL: conditions that an index in list order can answer, and the others. */
export interface FilterSql {
  ordered: Prisma.Sql;
  /** Tag and search; null without both. */
  unordered: Prisma.Sql | null;
  /** The parts of `unordered` for a search that also matches names of users; they need different indexes. */
  split: { userIds: string[]; tag: Prisma.Sql; others: Prisma.Sql } | null;
  /** True when the trigram index can find the search text; true without a search. */
  indexed: boolean;
}

/** Builds the SQL of a filter. Looks up the users whose name matches the search first. */
export async function buildFilterSql(db: Db, filter: ResponseFilter): Promise<FilterSql> {
  const ordered = Prisma.join([Prisma.sql`r.deleted_at IS NULL`, ...buildOrdered(filter)], " AND ");
  const tag = filter.tag === undefined ? null : Prisma.sql`r.tags @> ARRAY[${filter.tag}]::text[]`;
  const search = filter.search === undefined ? null : await loadSearch(db, filter.search, filter.userId);
  if (!search) return { ordered, unordered: tag, split: null, indexed: true };
  const { like, indexed, userIds } = search;
  const whose = Prisma.sql`r.user_id = ANY(${userIds}::text[])`;
  const either = userIds.length === 0 ? like : Prisma.sql`(${like} OR ${whose})`;
  const others = Prisma.sql`${like} AND NOT ${whose}`;
  return {
    ordered,
    unordered: tag ? Prisma.sql`${tag} AND ${either}` : either,
    split: userIds.length === 0 ? null : { userIds, tag: tag ?? Prisma.sql`TRUE`, others },
    indexed,
  };
}

export const NEWEST_FIRST = Prisma.sql`ORDER BY r.created_at DESC, r.id DESC`;

/** A condition for the rows after a cursor, newest first. */
export function isBehind(cursor: PageCursor | null): Prisma.Sql {
  if (cursor === null) return Prisma.sql`TRUE`;
  return Prisma.sql`(r.created_at, r.id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`;
}

function buildOrdered({ userId, category, status, method, mode, from, to }: ResponseFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (userId !== undefined) conditions.push(Prisma.sql`r.user_id = ${userId}`);
  if (category !== undefined) conditions.push(Prisma.sql`r.endpoint_category = ${category}`);
  if (status !== undefined) conditions.push(buildStatus(status));
  if (method !== undefined) conditions.push(Prisma.sql`r.method = ${method}`);
  if (mode !== undefined) conditions.push(Prisma.sql`r.mode = ${mode}`);
  if (from !== undefined) conditions.push(Prisma.sql`r.created_at >= ${new Date(from)}::timestamptz`);
  if (to !== undefined) conditions.push(Prisma.sql`r.created_at < ${parseEnd(to)}::timestamptz`);
  return conditions;
}

function buildStatus(status: string): Prisma.Sql {
  if (status === "none") return Prisma.sql`r.status_code IS NULL`;
  // Spelled like the index on status classes, so that it is used.
  if (status.endsWith("xx")) return Prisma.sql`(r.status_code / 100) = ${Number(status[0])}::int`;
  return Prisma.sql`r.status_code = ${Number(status)}::int`;
}

/** Parses the end of a period; a bare day is included. */
function parseEnd(to: string): Date {
  const end = new Date(to);
  return /^\d{4}-\d\d-\d\d$/.test(to) ? new Date(end.getTime() + DAY_MS) : end;
}

/**
 * Builds the search: a substring of path, method, category, preset, tags, recipient or user name, in any case. Names
 * are also found without accents. Null when the user of the filter is found by name, so that every row is.
 */
async function loadSearch(db: Db, text: string, userId: string | undefined) {
  const word = text.toLowerCase();
  const plain = dropAccents(text);
  const spellings = plain.trim() === "" || plain === word ? [word] : [word, plain];
  const users = await db.$queryRaw<{ id: string; display_name: string; letters: boolean }[]>`
    SELECT id, display_name,
      EXISTS (SELECT 1 FROM unnest(show_trgm('aüb')) AS part WHERE part LIKE '0x%') AS letters
    FROM users`;
  // Compared here, because case depends on the database's locale.
  const named = users.filter(({ display_name: name }) => isNamed(name, spellings)).map(({ id }) => id);
  if (userId !== undefined && named.includes(userId)) return null;
  return {
    like: Prisma.sql`(${Prisma.join(spellings.map(writeLike), " OR ")})`,
    indexed: spellings.every((spelling) => hasTrigram(spelling, users[0]?.letters ?? false)),
    userIds: userId === undefined ? named : [],
  };
}

function isNamed(name: string, spellings: readonly string[]): boolean {
  const names = [name.toLowerCase(), dropAccents(name)];
  return spellings.some((spelling) => names.some((known) => known.includes(spelling)));
}

function writeLike(spelling: string): Prisma.Sql {
  return Prisma.sql`r.search_text LIKE ${`%${spelling.replace(/[\\%_]/g, "\\$&")}%`}`;
}

/**
 * True when the trigram index can find a text: it needs three letters or digits in a row. A database with the locale C
 * only knows English letters.
 */
function hasTrigram(word: string, knowsLetters: boolean): boolean {
  return (knowsLetters ? /[\p{L}\p{N}]{3}/u : /[a-z0-9]{3}/).test(word);
}
