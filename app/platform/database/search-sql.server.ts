import { Prisma } from "../../../prisma/client/client";

/**
 * Conditions on a column that `writeSearchText` has written, for a trigram index: every word of the search is the
 * beginning of a word.
 */

/** Shorter words have too many neighbours. */
const MIN_TOLERANT_CHARS = 4;

/** Words as they were typed. @param column never what somebody sent */
export function hasWords(column: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  return Prisma.join(
    words.map((word) => Prisma.sql`${column} LIKE ${`% ${word}%`}`),
    " AND ",
  );
}

/** The same with one letter of each longer word wrong, missing, too many, or swapped with the next one. */
export function hasSimilarWords(column: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  const conditions = words.map((word) => {
    const patterns = listSimilar(word).map((pattern) => Prisma.sql`${column} LIKE ${`% ${pattern}%`}`);
    return Prisma.sql`(${Prisma.join(patterns, " OR ")})`;
  });
  return Prisma.join(conditions, " AND ");
}

/** Whether any of these words may have a typing error that {@link hasSimilarWords} tolerates. */
export function canBeSimilar(words: readonly string[]): boolean {
  return words.some((word) => word.length >= MIN_TOLERANT_CHARS);
}

/** A word and its neighbours as patterns in which `_` is any letter. Letters and digits only, so nothing needs escaping. */
export function listSimilar(word: string): string[] {
  if (word.length < MIN_TOLERANT_CHARS) return [word];
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
