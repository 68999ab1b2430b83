const SPACED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;

/** Parses the provider's two spellings of a time, without a zone as UTC; null for others and unstorable years. */
export function parseProviderTime(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  const [, day, time] = SPACED.exec(text) ?? [];
  if (!day && !/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const moment = new Date(day ? `${day}T${time}Z` : text);
  const year = moment.getUTCFullYear();
  return Number.isNaN(year) || year < 1970 || year > 9998 ? null : moment;
}
