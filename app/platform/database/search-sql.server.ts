import { Prisma } from "../../../prisma/client/client";

/** Shorter words have too many neighbours. */
const MIN_TOLERANT_CHARS = 4;

/** Condition that a column of `writeSearchText` has words that begin with these. @param column never user input */
export function hasWords(column: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  return Prisma.join(
    words.map((word) => Prisma.sql`${column} LIKE ${`% ${word}%`}`),
    " AND ",
  );
}

/** {@link hasWords} with one letter of each longer word wrong, missing, added, or swapped with the next one. */
function hasSimilarWords(column: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  const conditions = words.map((word) => {
    const patterns = listSimilar(word).map((pattern) => Prisma.sql`${column} LIKE ${`% ${pattern}%`}`);
    return Prisma.sql`(${Prisma.join(patterns, " OR ")})`;
  });
  return Prisma.join(conditions, " AND ");
}

/** False for numbers, because another digit makes another number. */
function isTolerant(word: string): boolean {
  return word.length >= MIN_TOLERANT_CHARS && !/\d/.test(word);
}

/** Lists a word and its neighbours as LIKE patterns. Words have letters only, so nothing needs escaping. */
export function listSimilar(word: string): string[] {
  if (!isTolerant(word)) return [word];
  const letters = [...word];
  const cut = (from: number, to?: number) => letters.slice(from, to).join("");
  const changed = letters.flatMap((_, at) => [
    `${cut(0, at)}_${cut(at + 1)}`,
    `${cut(0, at)}_${cut(at)}`,
    `${cut(0, at)}${cut(at + 1)}`,
    `${cut(0, at)}${cut(at + 1, at + 2)}${cut(at, at + 1)}${cut(at + 2)}`,
  ]);
  return [...new Set([word, ...changed])];
}

/** The number of newest rows that are searched first, so that a search for a frequent word is fast. */
export const NEWEST_ROWS = 2_000;

/** The rows that a search found, newest first. */
export interface Found<Row> {
  rows: Row[];
  /** True when no row has the typed words, and these have similar ones. */
  similar: boolean;
}

type Condition = (column: Prisma.Sql) => Prisma.Sql;

/**
 * Searches the newest rows, then all rows by index, then for similar words.
 * @param load `newest` limits the search to the {@link NEWEST_ROWS} newest rows
 */
export async function findByWords<Row>(
  words: readonly string[],
  limit: number,
  load: (isMatch: Condition, newest: boolean) => Promise<Row[]>,
): Promise<Found<Row>> {
  const typed: Condition = (column) => hasWords(column, words);
  const newest = await load(typed, true);
  if (newest.length >= limit) return { rows: newest, similar: false };
  const rows = await load(typed, false);
  if (rows.length > 0 || !words.some(isTolerant)) return { rows, similar: false };
  return { rows: await load((column) => hasSimilarWords(column, words), false), similar: true };
}
