/** Where a list goes on: after the row of that time and id, newest first. */
export interface PageCursor {
  createdAt: Date;
  id: string;
}

/** Rows of a list page, and the cursor of the next one, null on the last. */
export interface Page<T> {
  rows: T[];
  nextCursor: string | null;
}

/** One row more than a page is read: it says whether there is another page. */
export function cutPage<T extends PageCursor>(rows: T[], limit: number): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: last && rows.length > limit ? writeCursor(last) : null };
}

/** Null for a text that no list gave. */
export function readCursor(text: string): PageCursor | null {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  const createdAt = new Date(Number(time));
  return id === undefined || Number.isNaN(createdAt.getTime()) || createdAt.getUTCFullYear() > 9998
    ? null
    : { createdAt, id };
}

function writeCursor({ createdAt, id }: PageCursor): string {
  return `${createdAt.getTime()}.${id}`;
}
