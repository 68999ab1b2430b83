/** Letters without an accent to drop that people type without their stroke or as two letters. */
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
/** Fast path for most texts, which have no accents. */
const ASCII = /^[\x20-\x7e]*$/;

/** Converts to lower case without accents and apostrophes: "Siobhán O’Malley" becomes `siobhan omalley`. */
export function dropAccents(text: string): string {
  if (ASCII.test(text)) return text.replace(/['`]+/g, "").toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\p{M}'’‘`]+/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłıþ]/g, (letter) => PLAIN[letter] ?? letter);
}

/** Splits a text into words in the form of {@link dropAccents}. */
export function splitWords(text: string): string[] {
  return dropAccents(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word.length <= MAX_WORD_CHARS);
}

/** Joins the unique words with spaces around each: ` smi` matches the start of a word. Adds postcodes without a space. */
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
