const NEEDS_QUOTES = /[,"]/;
const QUOTED_OR_PLAIN = /\s*"((?:[^"]|"")*)"\s*(?=,|$)|[^,]+/g;

/** Formats tags for a text field, with commas between them. A tag that has a comma is put into double quotes. */
export function formatTags(tags: readonly string[]): string {
  return tags.map((tag) => (NEEDS_QUOTES.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(", ");
}

/** Parses the text of {@link formatTags}. Tags are trimmed and unique, none is empty. */
export function parseTags(text: string): string[] {
  const tags = Array.from(
    text.matchAll(QUOTED_OR_PLAIN),
    ([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain,
  ).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}
