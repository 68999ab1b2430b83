import { type Outcome, succeed } from "~/platform/outcome";
import { type Page, type PageCursor, readCursor } from "./page-cursor";

/** All rows of a list, one page after the other; ends with the first page that cannot be read. */
export async function* readAllPages<T>(
  readPage: (cursor: PageCursor | null) => Promise<Outcome<Page<T>>>,
): AsyncGenerator<Outcome<T[]>> {
  let cursor: PageCursor | null = null;
  do {
    const page: Outcome<Page<T>> = await readPage(cursor);
    yield page.ok ? succeed(page.value.rows) : page;
    cursor = page.ok && page.value.nextCursor !== null ? readCursor(page.value.nextCursor) : null;
  } while (cursor !== null);
}
