import { Prisma } from "../../../prisma/client/client";

/**
 * Conditions on a column that `writeSearchText` has written, for a trigram index: every word of the search is the
 * beginning of a word.
 */

/** Shorter words have too many neighbours. */
const MIN_TOLERANT_CHARS = 4;

/** Words as they were typed. @param column never what a person sent */
export function hasWords(column: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  return Prisma.join(
    words.map((word) => Prisma.sql`${column} LIKE ${`% ${word}%`}`),
    " AND ",
  );
}

/** The same with one letter of each longer word wrong, missing, too many, or swapped with the next one. */
function hasSimilarWords(column: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  const conditions = words.map((word) => {
    const patterns = listSimilar(word).map((pattern) => Prisma.sql`${column} LIKE ${`% ${pattern}%`}`);
    return Prisma.sql`(${Prisma.join(patterns, " OR ")})`;
  });
  return Prisma.join(conditions, " AND ");
}

/** True when any of these words may have a typing error that {@link hasSimilarWords} tolerates. */
function canBeSimilar(words: readonly string[]): boolean {
  return words.some(isTolerant);
}

/** A number with another digit is another number. */
function isTolerant(word: string): boolean {
  return word.length >= MIN_TOLERANT_CHARS && !/\d/.test(word);
}

/** A word and its neighbours as patterns in which `_` is any letter. Letters only, so nothing needs escaping. */
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

/** Whoever searches for what many rows have gets the newest of them: so many are looked through before all are. */
export const NEWEST_ROWS = 2_000;

/** What a search found, newest first. */
export interface Found<Row> {
  rows: Row[];
  /** Nothing has the words as typed; these have similar ones. */
  similar: boolean;
}

type Condition = (column: Prisma.Sql) => Prisma.Sql;

/**
 * Looks for words among the newest rows, then by index among all, then for similar words.
 * @param load `newest` asks for the newest rows among {@link NEWEST_ROWS}, else all rows are searched
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
  if (rows.length > 0 || !canBeSimilar(words)) return { rows, similar: false };
  return { rows: await load((column) => hasSimilarWords(column, words), false), similar: true };
}
