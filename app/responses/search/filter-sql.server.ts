import type { Db } from "~/platform/database/client";
import type { PageCursor } from "~/platform/page-cursor";
import { DAY_MS } from "~/platform/time";
import { Prisma } from "../../../prisma/client/client";
import type { ResponseFilter } from "../stored-response";

/** A filter in the words of the database, in two halves: what an index in the list's order answers, and what none does. */
export interface FilterSql {
  /** Conditions on `responses r`. */
  ordered: Prisma.Sql;
  /** Tag and search; null where neither is asked for. */
  unordered: Prisma.Sql | null;
  /**
   * A search that some users' names answer too, in parts that need no common index: `unordered` is either of them.
   */
  split: { userIds: string[]; tag: Prisma.Sql; others: Prisma.Sql } | null;
  /** Whether the trigram index can find the search word; true without one. */
  indexed: boolean;
}

/** Turns a filter into SQL; the users whose name matches the search word are looked up first. */
export async function buildFilterSql(db: Db, filter: ResponseFilter): Promise<FilterSql> {
  const ordered = Prisma.join([Prisma.sql`r.deleted_at IS NULL`, ...listOrdered(filter)], " AND ");
  const tag = filter.tag === undefined ? null : Prisma.sql`r.tags @> ARRAY[${filter.tag}]::text[]`;
  const search = filter.search === undefined ? null : await readSearch(db, filter.search, filter.userId);
  if (!search || search.kind === "all") return { ordered, unordered: tag, split: null, indexed: true };
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

/** What stands behind a cursor, newest first. */
export function isBehind(cursor: PageCursor | null): Prisma.Sql {
  if (cursor === null) return Prisma.sql`TRUE`;
  return Prisma.sql`(r.created_at, r.id) < (${cursor.createdAt}::timestamptz, ${cursor.id})`;
}

function listOrdered({ userId, category, status, method, from, to }: ResponseFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (userId !== undefined) conditions.push(Prisma.sql`r.user_id = ${userId}`);
  if (category !== undefined) conditions.push(Prisma.sql`r.endpoint_category = ${category}`);
  if (status !== undefined) conditions.push(writeStatus(status));
  if (method !== undefined) conditions.push(Prisma.sql`r.method = ${method}`);
  if (from !== undefined) conditions.push(Prisma.sql`r.created_at >= ${new Date(from)}::timestamptz`);
  if (to !== undefined) conditions.push(Prisma.sql`r.created_at < ${readEnd(to)}::timestamptz`);
  return conditions;
}

function writeStatus(status: string): Prisma.Sql {
  if (status === "none") return Prisma.sql`r.status_code IS NULL`;
  // As the index of the classes is written.
  if (status.endsWith("xx")) return Prisma.sql`(r.status_code / 100) = ${Number(status[0])}::int`;
  return Prisma.sql`r.status_code = ${Number(status)}::int`;
}

/** A bare day counts to its end. */
function readEnd(to: string): Date {
  const end = new Date(to);
  return /^\d{4}-\d\d-\d\d$/.test(to) ? new Date(end.getTime() + DAY_MS) : end;
}

/** `all`: the one user asked for has the word in their name. */
type Search = { kind: "all" } | { kind: "word"; like: Prisma.Sql; indexed: boolean; userIds: string[] };

/** spec §5: a substring of path, method, category, preset, tags or the user's name, whatever the case. */
async function readSearch(db: Db, text: string, userId: string | undefined): Promise<Search> {
  const word = text.toLowerCase();
  const users = await db.$queryRaw<{ id: string; display_name: string; letters: boolean }[]>`
    SELECT id, display_name,
      EXISTS (SELECT 1 FROM unnest(show_trgm('aüb')) AS part WHERE part LIKE '0x%') AS letters
    FROM users`;
  // Not by the database: its idea of upper and lower case depends on how it was made.
  const named = users.filter((user) => user.display_name.toLowerCase().includes(word)).map(({ id }) => id);
  if (userId !== undefined && named.includes(userId)) return { kind: "all" };
  return {
    kind: "word",
    like: Prisma.sql`r.search_text LIKE ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`,
    indexed: hasTrigram(word, users[0]?.letters ?? false),
    userIds: userId === undefined ? named : [],
  };
}

/**
 * Whether the trigram index can look for a word: three letters or digits in a row. A database made with the locale C
 * knows no letters but those of English.
 */
function hasTrigram(word: string, knowsLetters: boolean): boolean {
  return (knowsLetters ? /[\p{L}\p{N}]{3}/u : /[a-z0-9]{3}/).test(word);
}
