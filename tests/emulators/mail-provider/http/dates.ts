/** The provider uses two formats for times, always in UTC. Arguments are epoch milliseconds. */

export const DAY_MS = 86_400_000;

/** `2026-01-05T09:00:00+00:00` */
export function formatOffsetTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}+00:00`;
}

/** `2026-01-05 09:00:00` */
export function formatSpacedTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}

/** Midnight UTC of a `YYYY-MM-DD` day, or null for any other text. */
export function findDayStart(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(atMs) ? null : atMs;
}
