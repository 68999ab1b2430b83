import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { OPEN_STATES } from "../bulk-list";
import { guessMapping, RECIPIENT_FIELDS, type RecipientField } from "../columns";
import { buildRules, listPlaceholders, loadDesignToCheck } from "../design.server";
import { findList, isInState } from "../list-record.server";
import { NO_LIST, NOT_CHANGED_NOW } from "../messages";
import { type CheckedRow, checkCells } from "../rows/checked-row.server";
import { markDuplicates } from "../rows/mark-duplicates.server";
import { type ParsedRow, parseList, type RowTaker } from "./parse-list.server";

const OTHER_IMPORT =
  "Another import of this list started at the same time. Nothing was imported; import it again.";

/** Rows checked and stored at a time, so that other requests are served in between. */
const BATCH_ROWS = 250;
const MAX_NAME_CHARS = 120;

/** A source of rows. */
export interface ListSource {
  /** Name that the list takes. */
  name: string;
  /** Total for the progress: bytes, or recipients. */
  size: number;
  /** Hands the rows over and returns their number. Fails with `bad_input` and the problem. */
  parse(taker: RowTaker): Promise<Outcome<number>>;
}

export function fileSource(bytes: Uint8Array, name: string): ListSource {
  return { name, size: bytes.length, parse: (taker) => parseList(bytes, taker) };
}

/**
 * Replaces the rows of a list with those of a source and guesses the use of its columns. Returns the number of rows. The list has
 * no columns until the import ends, so that half a file never counts as a whole one.
 * Fails with `bad_input` and the problem of the file, `not_found`, `in_progress` for a list that was started, or as the database
 * does.
 */
export async function importList(
  id: string,
  { name, size, parse }: ListSource,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<number>> {
  const startedAt = performance.now();
  const opened = await withDatabase(async (db) => {
    const list = await findList(db, id);
    const design = list && (await loadDesignToCheck(db, id));
    if (!list || !design) return fail("not_found", NO_LIST);
    const [begun] = await db.$queryRaw<{ version: number }[]>`
      UPDATE bulk_lists SET version = version + 1, columns = '[]', mapping = '[]', tested_version = NULL, checking_addresses = false,
        import_total = ${size}::int, import_done = 0, import_at = clock_timestamp()
      WHERE id = ${id} AND state = 'draft' RETURNING version`;
    if (!begun) return fail("in_progress", NOT_CHANGED_NOW);
    await db.$executeRaw`DELETE FROM bulk_rows WHERE list_id = ${id}`;
    return { list, design, version: begun.version };
  });
  if (!opened.ok) return opened;
  const { list, design, version } = opened.value;

  let columns: string[] = [];
  let mapping: string[] = [];
  let check = (row: ParsedRow): CheckedRow => ({
    ...row,
    state: "problem",
    problem: null,
    problemCode: null,
    warning: null,
    addressKey: null,
  });
  const parsed = await parse({
    batchSize: BATCH_ROWS,
    onHeader: (header) => {
      columns = header;
      mapping = [...guessMapping(header, listPlaceholders(design))];
      const rules = buildRules({ ...list, columns, mapping }, design);
      check = (row) => checkCells(row, rules, design);
    },
    onRows: async (rows, read) => {
      const stored = await storeRows({ id, version, by: viewer.id }, rows.map(check), read);
      return stored.ok && stored.value < rows.length ? fail("in_progress", OTHER_IMPORT) : stored;
    },
  });
  if (!parsed.ok) {
    const { code, message, details } = parsed.failure;
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
  const ended = await withDatabase(async (db) => {
    await markDuplicates(db, id);
    const done = await db.$executeRaw`
      UPDATE bulk_lists SET columns = ${JSON.stringify(columns)}, mapping = ${JSON.stringify(mapping)},
        name = ${name.slice(0, MAX_NAME_CHARS)}, import_total = NULL, import_done = NULL, import_at = NULL
      WHERE id = ${id} AND version = ${version}::int AND ${isInState(OPEN_STATES)}`;
    return done === 0 ? fail("in_progress", OTHER_IMPORT) : parsed.value;
  });
  if (ended.ok)
    log.info("bulk.imported", { rowId: id, durationMs: Math.round(performance.now() - startedAt) });
  return ended;
}

/** Stores rows and returns their number: fewer when another import of this list has started. */
function storeRows(
  { id, version, by }: { id: string; version: number; by: string },
  rows: CheckedRow[],
  read: number,
): Promise<Outcome<number>> {
  const cells = rows.map((row) => JSON.stringify(row.cells));
  return withDatabase(
    (db) => db.$executeRaw`
      WITH list AS (
        UPDATE bulk_lists SET import_done = ${read}::int, import_at = clock_timestamp()
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

/** Makes a list of one row from one recipient. @param details by their names in a request; others are dropped */
export function recipientSource(details: Readonly<Record<string, unknown>>): ListSource {
  const filled = (Object.entries(RECIPIENT_FIELDS) as [RecipientField, string][]).flatMap(
    ([field, column]) => {
      const value = details[field];
      return typeof value === "string" && value !== "" ? [{ column, value }] : [];
    },
  );
  return {
    name: "One recipient",
    size: 1,
    async parse({ onHeader, onRows }) {
      onHeader(filled.map(({ column }) => column));
      const taken = await onRows([{ number: 2, cells: filled.map(({ value }) => value) }], 1);
      return taken.ok ? succeed(1) : taken;
    },
  };
}
