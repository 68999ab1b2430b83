/** The text without percent-encoding; null where the encoding is broken, as in `a%`. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Percent-encodes one segment or value. Half characters (lone surrogates) become U+FFFD: nothing can encode them. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}
