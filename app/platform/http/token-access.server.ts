/** Parses the text after `Authorization: Bearer`; null without such a header. */
export function parseBearer(headers: { get(name: string): string | null }): string | null {
  return /^bearer\s+(.*?)\s*$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? null;
}
