/** How names, places and values are spelled where they are searched. */

/** Letters that have no accent to drop, but are typed without their stroke or as two. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
};
const MAX_WORD_CHARS = 60;
/** Most texts; they have nothing to drop but apostrophes. */
const ASCII = /^[\x20-\x7e]*$/;

/** A text in lower case, without accents and apostrophes: "Siobhán O’Malley" is `siobhan omalley`. */
export function dropAccents(text: string): string {
  if (ASCII.test(text)) return text.replace(/['`]+/g, "").toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\p{M}'’‘`]+/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłıþ]/g, (letter) => PLAIN[letter] ?? letter);
}

/** Words of a text in lower case, without accents and apostrophes: "Siobhán O’Malley" has `siobhan` and `omalley`. */
export function splitWords(text: string): string[] {
  return dropAccents(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word.length <= MAX_WORD_CHARS);
}

/**
 * The words of these texts, each once and between spaces, so that ` smi` finds where a word begins. Two short words with
 * a digit are there as one, too: postcodes are typed with and without their space.
 */
export function writeSearchText(texts: readonly (string | null | undefined)[]): string {
  const words = texts.flatMap((text) => {
    const parts = splitWords(text ?? "");
    return isPostcode(parts) ? [...parts, parts.join("")] : parts;
  });
  return words.length === 0 ? "" : ` ${[...new Set(words)].join(" ")} `;
}

function isPostcode(words: readonly string[]): boolean {
  return words.length === 2 && words.every((word) => word.length <= 5) && /\d/.test(words.join(""));
}
