const NEEDS_QUOTES = /[,"]/;
const QUOTED_OR_PLAIN = /\s*"((?:[^"]|"")*)"\s*(?=,|$)|[^,]+/g;

/** Splits at commas. Words are trimmed and unique, none is empty. */
export function splitCommaList(text: string): string[] {
  return toWords(text.split(","));
}

/** Splits at commas like {@link splitCommaList}, but not at those in double quotes. */
export function splitQuotedList(text: string): string[] {
  const parts = text.matchAll(QUOTED_OR_PLAIN);
  return toWords(Array.from(parts, ([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain));
}

/** Joins words for {@link splitQuotedList}: one with a comma is put into double quotes. */
export function joinQuotedList(words: readonly string[]): string {
  return words.map((word) => (NEEDS_QUOTES.test(word) ? `"${word.replaceAll('"', '""')}"` : word)).join(", ");
}

function toWords(parts: readonly string[]): string[] {
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))];
}
