/** The text behind `Authorization: Bearer`, or null where the request has no such header. */
export function parseBearer(headers: { get(name: string): string | null }): string | null {
  return /^bearer\s+(.*?)\s*$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? null;
}
