/** Splits at commas. Words are trimmed and unique, none is empty. */
export function splitCommaList(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ""))];
}
