/** Decodes percent-encoding; null when it is broken, as in `a%`. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Percent-encodes a segment or value. Lone surrogates, which have no encoding, become U+FFFD. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

/** Builds an address with the parameters that have a value. */
export function buildAddress(
  path: string,
  query: Readonly<Record<string, string | null | undefined>>,
): string {
  const filled = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return filled.length > 0 ? `${path}?${new URLSearchParams(filled)}` : path;
}
