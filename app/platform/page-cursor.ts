import { type Outcome, succeed } from "./outcome";

/** The row after which the next page of a list begins. Lists are sorted by time and ID, newest first. */
export type PageCursor = { createdAt: Date; id: string };

/** Rows of one page, and the cursor of the next one; null on the last page. */
export type Page<T> = { rows: T[]; nextCursor: string | null };

/** Problem of a `cursor` parameter that `parseCursor` refuses. */
export const NOT_A_CURSOR = "is not a cursor from this API";

/** Cuts `rows` to a page. The caller loads `limit` rows and one more, which shows that there is a next page. */
export function cutPage<T extends PageCursor>(rows: T[], limit: number): Page<T> {
  const visible = rows.slice(0, limit);
  const last = visible.at(-1);
  return { rows: visible, nextCursor: last && rows.length > limit ? formatCursor(last) : null };
}

/** Parses a cursor; null when it is none. The database stores years up to 9998. */
export function parseCursor(text: string): PageCursor | null {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  const createdAt = new Date(Number(time));
  return id === undefined || Number.isNaN(createdAt.getTime()) || createdAt.getUTCFullYear() > 9998
    ? null
    : { createdAt, id };
}

export function formatCursor({ createdAt, id }: PageCursor): string {
  return `${createdAt.getTime()}.${id}`;
}

/** Loads rows in batches, each after the last row of the one before. Ends after an empty batch or a failure. */
export async function* loadBatches<T>(
  loadBatch: (last: T | null) => Promise<Outcome<T[]>>,
): AsyncGenerator<Outcome<T[]>> {
  let last: T | null = null;
  do {
    const batch: Outcome<T[]> = await loadBatch(last);
    yield batch;
    last = (batch.ok && batch.value.at(-1)) || null;
  } while (last !== null);
}

/** Loads all rows of a list, page by page. Ends after the first page that fails. */
export async function* loadAllPages<T>(
  loadPage: (cursor: PageCursor | null) => Promise<Outcome<Page<T>>>,
): AsyncGenerator<Outcome<T[]>> {
  let cursor: PageCursor | null = null;
  do {
    const page: Outcome<Page<T>> = await loadPage(cursor);
    yield page.ok ? succeed(page.value.rows) : page;
    cursor = page.ok && page.value.nextCursor !== null ? parseCursor(page.value.nextCursor) : null;
  } while (cursor !== null);
}

/** Parses the ID of a numbered row; null for any other text. */
export function parseRowId(text: string | null): string | null {
  return text !== null && /^\d{1,18}$/.test(text) ? text : null;
}

/**
 * Cuts `rows`, newest first, to a page and finds the addresses of the first and the next one. The caller loads `limit` rows and
 * one more.
 * @param before ID of the last row of the previous page; null on the first page
 */
export function cutNumberedPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
  before: string | null,
  toAddress: (before: string | null) => string,
): { visible: Row[]; newest: string | null; older: string | null } {
  const visible = rows.slice(0, limit);
  const last = rows.length > limit ? visible.at(-1) : undefined;
  return {
    visible,
    newest: before === null ? null : toAddress(null),
    older: last ? toAddress(last.id) : null,
  };
}
