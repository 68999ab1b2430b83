/** Words as one types them, with commas between them: trimmed, each once, none empty. */
export function splitCommaList(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ""))];
}
