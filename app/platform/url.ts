/** Builds an address with the parameters that have a value. */
export function buildAddress(
  path: string,
  query: Readonly<Record<string, string | null | undefined>>,
): string {
  const filled = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return filled.length > 0 ? `${path}?${new URLSearchParams(filled)}` : path;
}
