const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 2000;

/**
 * The rows that a query selects: `offset` and `limit` as documented, or the console's 1-based `page` with `limit`.
 * Default and maximum are our choice; the provider's are not documented.
 */
export function takePage<T>(rows: T[], query: URLSearchParams): T[] {
  const limit = Math.min(readCount(query, "limit") ?? DEFAULT_LIMIT, MAX_LIMIT);
  const page = readCount(query, "page");
  const offset = readCount(query, "offset") ?? (page === null ? 0 : Math.max(page - 1, 0) * limit);
  return rows.slice(offset, offset + limit);
}

function readCount(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
