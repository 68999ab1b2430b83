import type { Viewer } from "~/people/viewer.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { formatCount } from "~/platform/format-integer";
import { writeCsvLine } from "~/platform/http/csv";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { loadBatches } from "~/platform/page-cursor";
import { RECIPIENT_FIELDS } from "~/print/layout/preview-content";
import { lockErasures } from "~/recipients/person.server";
import { ERASED_CELLS, type ListTemplate, OPEN_STATES } from "../bulk-list";
import { guessMapping, listOwnPlaceholders, parsePlaceholder } from "../columns";
import { type BulkList, isInState, loadList } from "../list-record.server";
import { buildRules, listPlaceholders, loadListTemplate, withTemplate } from "../list-template.server";
import { NO_LIST, NOT_CHANGED_NOW } from "../messages";
import { type CheckedRow, checkCells } from "../rows/check-row.server";
import { saveMapping } from "../rows/edit-rows.server";
import { markDuplicates } from "../rows/mark-duplicates.server";
import { BATCH_ROWS, type ParsedRow, type RowSource } from "./parse-list.server";

const OTHER_IMPORT =
  "Another import of this list started at the same time. Nothing was imported; import it again.";

const MAX_NAME_CHARS = 120;

type Import = { list: BulkList; template: ListTemplate; version: number; by: string };

/**
 * Replaces the rows of a list, names it, and guesses the use of its columns. Returns the sentence to show. The list has
 * no columns until the import ends, so that half a file never counts as a whole one.
 */
export async function importList(id: string, name: string, rows: RowSource, viewer: Pick<Viewer, "id">) {
  const startedAt = performance.now();
  const opened = await withTemplate(id, async (db, { list, template }) => {
    const [begun] = await db.$queryRaw<{ version: number }[]>`
      UPDATE bulk_lists SET version = version + 1, columns = '[]', mapping = '[]', tested_version = NULL, checking_addresses = false,
        import_total = 100, import_done = 0, import_at = clock_timestamp(), imported_at = clock_timestamp()
      WHERE id = ${id} AND state = 'draft' RETURNING version`;
    if (!begun) return fail("in_progress", NOT_CHANGED_NOW);
    await db.$executeRaw`DELETE FROM bulk_rows WHERE list_id = ${id}`;
    return { list, template, version: begun.version, by: viewer.id };
  });
  if (!opened.ok) return opened;
  const { version } = opened.value;
  const taken = await takeRows(opened.value, rows);
  if (!taken.ok) {
    const { code, message, details } = taken.failure;
    const sentence =
      code !== "in_progress" && !code.startsWith("database") ? `${message} Nothing was imported.` : message;
    await withDatabase(
      (db) => db.$executeRaw`
        WITH ended AS (
          UPDATE bulk_lists SET import_total = NULL, import_done = NULL, import_at = NULL
          WHERE id = ${id} AND version = ${version}::int RETURNING id
        )
        DELETE FROM bulk_rows r USING ended WHERE r.list_id = ended.id`,
    );
    return fail(code, sentence, details);
  }
  const { columns, mapping, count } = taken.value;
  const ended = await withDatabase(async (db) => {
    await markDuplicates(db, id);
    const done = await db.$executeRaw`
      UPDATE bulk_lists SET columns = ${JSON.stringify(columns)}, mapping = ${JSON.stringify(mapping)},
        name = ${name.slice(0, MAX_NAME_CHARS)}, import_total = NULL, import_done = NULL, import_at = NULL
      WHERE id = ${id} AND version = ${version}::int AND ${isInState(OPEN_STATES)}`;
    return done === 0 ? fail("in_progress", OTHER_IMPORT) : `${formatCount(count, "row")} imported.`;
  });
  if (ended.ok)
    log.info("bulk.imported", { rowId: id, durationMs: Math.round(performance.now() - startedAt) });
  return ended;
}

/** Checks and stores the rows of a source. Returns their number and columns. */
async function takeRows({ list, template, version, by }: Import, source: RowSource) {
  let taken = { columns: [] as string[], mapping: [] as string[], count: 0 };
  for await (const batch of source) {
    if (!batch.ok) return batch;
    const { columns, rows, done } = batch.value;
    const mapping = guessMapping(columns, listPlaceholders(template));
    const rules = buildRules({ ...list, columns, mapping }, template);
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const checked = rows.slice(at, at + BATCH_ROWS).map((row) => checkCells(row, rules, template));
      const stored = await storeRows(list.id, version, by, checked, done);
      if (!stored.ok) return stored;
      if (stored.value < checked.length) return fail("in_progress", OTHER_IMPORT);
    }
    taken = { columns, mapping, count: taken.count + rows.length };
  }
  return succeed(taken);
}

/** Stores rows and returns their number: fewer when another import of this list has started. */
function storeRows(id: string, version: number, by: string, rows: CheckedRow[], share: number) {
  const cells = rows.map((row) => JSON.stringify(row.cells));
  return withDatabase(
    (db) => db.$executeRaw`
      WITH list AS (
        UPDATE bulk_lists SET import_done = ${Math.round(share * 100)}::int, import_at = clock_timestamp()
        WHERE id = ${id} AND version = ${version}::int AND state = 'draft' RETURNING id
      )
      INSERT INTO bulk_rows (list_id, number, cells, state, problem, problem_code, warning, address_key, changed_by)
      SELECT list.id, r.number, r.cells, r.state, r.problem, r.problem_code, r.warning, r.address_key, ${by}
      FROM list CROSS JOIN unnest(${rows.map(({ number }) => number)}::int[], ${cells}::text[], ${rows.map(({ state }) => state)}::text[],
        ${rows.map(({ problem }) => problem)}::text[], ${rows.map(({ problemCode }) => problemCode)}::text[],
        ${rows.map(({ warning }) => warning)}::text[], ${rows.map(({ addressKey }) => addressKey)}::text[])
        AS r(number, cells, state, problem, problem_code, warning, address_key)
      ON CONFLICT DO NOTHING`,
  );
}

/** Makes a row from one recipient. @param details by their names in a request; others are dropped */
export async function* takeRecipient(details: Readonly<Record<string, unknown>>): RowSource {
  const filled = Object.entries(RECIPIENT_FIELDS).flatMap(([field, column]) => {
    const value = details[field];
    return typeof value === "string" && value !== "" ? [{ column, value }] : [];
  });
  const cells = filled.map(({ value }) => value);
  yield succeed({ columns: filled.map(({ column }) => column), rows: [{ number: 2, cells }], done: 1 });
}

const NO_ROWS_THERE = "This list has no rows to take. Nothing was imported.";

const MOST_LISTS = 20;

/** Lists the newest lists whose rows another list can take. */
export function listRowsOwners(db: Db, id: string) {
  return db.$queryRaw<{ id: string; name: string; rows: number }[]>`
    SELECT l.id, l.name, (SELECT count(*)::int FROM bulk_rows r WHERE r.list_id = l.id) AS rows
    FROM bulk_lists l WHERE l.id <> ${id} AND l.columns <> '[]' AND l.erased_at IS NULL
    ORDER BY l.created_at DESC, l.id LIMIT ${MOST_LISTS}::int`;
}

/** Copies the rows of another list with its corrections and columns. Rows that were left out stay out. */
export async function importRowsOf(id: string, ownerId: string, viewer: Viewer): Promise<Outcome<string>> {
  const owner = await loadList(ownerId);
  if (!owner.ok) return owner;
  if (ownerId === id || owner.value.columns.length === 0 || owner.value.erasedAt) {
    return fail("bad_input", NO_ROWS_THERE);
  }
  const { mapping, country, name } = owner.value;
  const imported = await importList(id, name, copyRows(owner.value), viewer);
  if (!imported.ok) return imported;
  const list = await loadList(id);
  if (!list.ok) return list;
  // A column that the other list does not use can only fill a placeholder here: its details are another column's, or left out.
  const uses = list.value.mapping.map(
    (guessed, at) => mapping[at] || (parsePlaceholder(guessed) ? guessed : ""),
  );
  const saved = await saveMapping(id, { uses, country }, viewer);
  const dropped = await dropErased(id, ownerId);
  if (!dropped.ok) return dropped;
  return saved.ok ? imported : saved;
}

/** Deletes copies of rows whose person was erased during the copying, when the erasure could not find the copies yet. */
function dropErased(id: string, ownerId: string) {
  return withDatabase((db) =>
    db.$transaction(async (tx) => {
      await lockErasures(tx);
      return tx.$executeRaw`
        DELETE FROM bulk_rows r USING bulk_rows o
        WHERE r.list_id = ${id} AND o.list_id = ${ownerId} AND o.number = r.number AND o.cells = ${ERASED_CELLS}`;
    }),
  );
}

async function* copyRows({ id, columns }: BulkList): RowSource {
  let isEmpty = true;
  // The rows of erased people have no cells.
  const batches = loadBatches<ParsedRow>((last) =>
    withDatabase(
      (db) => db.$queryRaw<ParsedRow[]>`
        SELECT number, cells::json,
          CASE state WHEN 'left_out' THEN coalesce(problem, 'It was left out of the list that it was taken from.') END AS "leftOut"
        FROM bulk_rows
        WHERE list_id = ${id} AND number > ${last?.number ?? 0}::int AND cells <> '[]' ORDER BY number LIMIT ${BATCH_ROWS}::int`,
    ),
  );
  for await (const batch of batches) {
    if (!batch.ok) return yield batch;
    if (batch.value.length === 0) break;
    isEmpty = false;
    yield succeed({ columns, rows: batch.value, done: 0 });
  }
  if (isEmpty) yield fail("bad_input", NO_ROWS_THERE);
}

const HEADER = "First name,Last name,Company,Address 1,Address 2,City,State,Postcode,Country".split(",");
const PEOPLE = {
  US: [
    ["Ana", "Lopez", "", "12 Main Street", "Apt 4", "Portland", "OR", "97205", "US"],
    ["Ben", "Stone", "Blue Door Books", "300 Congress Avenue", "", "Austin", "TX", "78701", "US"],
  ],
  GB: [
    ["Ana", "Lopez", "", "12 High Street", "Flat 4", "Bristol", "", "BS1 4ST", "GB"],
    ["Ben", "Stone", "Blue Door Books", "30 Bridge Road", "", "Leeds", "", "LS1 4AP", "GB"],
  ],
};

/** Writes an example file for a list, with two rows and the columns that its template needs. */
export function writeExample(listId: string): Promise<Outcome<ReadableStream>> {
  return withDatabase(async (db) => {
    const template = await loadListTemplate(db, listId);
    if (!template) return fail("not_found", NO_LIST);
    const own = listOwnPlaceholders(listPlaceholders(template));
    const rows = PEOPLE[template.home].map((cells, at) =>
      cells.concat(own.map((name) => `${name} ${at + 1}`)),
    );
    return new Blob([[...HEADER, ...own], ...rows].map(writeCsvLine)).stream();
  });
}
