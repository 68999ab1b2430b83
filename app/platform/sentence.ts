/** Ends a text with a full stop, unless it has one. */
export function endSentence(text: string): string {
  return text.replace(/\.?$/, ".");
}

/** Writes the first letter of a text as a capital. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
