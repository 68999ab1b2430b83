import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { BulkList } from "../bulk-list";
import { loadList } from "../list-record.server";
import { saveMapping } from "../rows/edit-rows.server";
import { importList } from "./import-list.server";
import { BATCH_ROWS, type RowSource } from "./parse-list.server";

const NO_ROWS_THERE = "This list has no rows to take. Nothing was imported.";

const MOST_LISTS = 20;

/** A list whose rows another list can take. */
interface RowsOwner {
  id: string;
  name: string;
  rows: number;
}

/** Lists the newest lists with rows. */
export function listRowsOwners(db: Db, id: string): Promise<RowsOwner[]> {
  return db.$queryRaw<RowsOwner[]>`
    SELECT l.id, l.name, (SELECT count(*)::int FROM bulk_rows r WHERE r.list_id = l.id) AS rows
    FROM bulk_lists l WHERE l.id <> ${id} AND l.columns <> '[]' AND l.erased_at IS NULL
    ORDER BY l.created_at DESC, l.id LIMIT ${MOST_LISTS}::int`;
}

/**
 * Copies the rows of another list with its corrections and columns. Rows that were left out stay out. Fails as {@link importList}
 * does.
 */
export async function importRowsOf(id: string, ownerId: string, viewer: Viewer): Promise<Outcome<string>> {
  const owner = await loadList(ownerId);
  if (!owner.ok) return owner;
  if (ownerId === id || owner.value.columns.length === 0 || owner.value.erasedAt) {
    return fail("bad_input", NO_ROWS_THERE);
  }
  const { mapping, country, name } = owner.value;
  const imported = await importList(id, { name, rows: copyRows(owner.value) }, viewer);
  if (!imported.ok) return imported;
  const list = await loadList(id);
  if (!list.ok) return list;
  const uses = list.value.mapping.map((guessed, at) => mapping[at] || guessed);
  const saved = await saveMapping(id, { uses, country }, viewer);
  return saved.ok ? imported : saved;
}

async function* copyRows({ id, columns }: Pick<BulkList, "id" | "columns">): RowSource {
  for (let after = 0; ; ) {
    const from = after;
    // The rows of erased people have no cells.
    const stored = await withDatabase(
      (db) => db.$queryRaw<{ number: number; cells: string; isLeftOut: boolean; problem: string | null }[]>`
        SELECT number, cells, state = 'left_out' AS "isLeftOut", problem FROM bulk_rows
        WHERE list_id = ${id} AND number > ${from}::int AND cells <> '[]' ORDER BY number LIMIT ${BATCH_ROWS}::int`,
    );
    if (!stored.ok) return yield stored;
    const last = stored.value.at(-1);
    if (!last) return after === 0 ? yield fail("bad_input", NO_ROWS_THERE) : undefined;
    after = last.number;
    const rows = stored.value.map(({ number, cells, isLeftOut, problem }) => ({
      number,
      cells: JSON.parse(cells) as string[],
      leftOut: isLeftOut ? (problem ?? "It was left out of the list that it was taken from.") : null,
    }));
    yield succeed({ columns, rows, done: 0 });
  }
}
