import type { Viewer } from "~/people/viewer.server";
import { MAY_BE_MAILED } from "~/pieces/transition-sql.server";
import type { Db } from "~/platform/database/client";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { sha256 } from "~/platform/hash.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { checkScope } from "~/tokens/check-token.server";
import { Prisma } from "../../../prisma/client/client";
import {
  ACTIVE_STATES,
  ERASED_CELLS,
  type ListTemplate,
  OPEN_STATES,
  type ProblemCode,
  type RowState,
} from "../bulk-list";
import { cleanMapping } from "../columns";
import { BATCH_ROWS, findLongCell } from "../import/parse-list.server";
import { type BulkList, withList } from "../list-record.server";
import { buildRules, listCountries, listPlaceholders, withTemplate } from "../list-template.server";
import { NO_ROW, NOT_CHANGED_NOW } from "../messages";
import { markNotFound } from "./check-addresses.server";
import { type CheckedRow, checkCells } from "./check-row.server";
import { markDuplicates } from "./mark-duplicates.server";

const NOT_CHECKED = "It was not checked after the columns changed. Save the columns again.";
const ROW_NOT_CHANGED_NOW = "This row cannot be changed now. Nothing was changed.";
const NOT_OF_THIS_START =
  "While a list runs, only rows that this start sent can be corrected. Nothing was changed; correct it when the list has ended.";

const CHANGED_BY_OTHER =
  "Another person changed this row since you opened it. Nothing was changed; compare, then save it again.";

interface StoredRow {
  number: number;
  cells: string;
  state: RowState;
  problemCode: ProblemCode | null;
  /** Problems that a person allowed; null for all of them, permitted by an earlier version. */
  allowed: ProblemCode[] | null;
  isOfThisStart: boolean;
}

/**
 * SQL condition: the last start of list `l` has the credits of refused row `r`, because it has no piece or its piece gave them back.
 * Without a piece, `lease_until` is the time of the refusal.
 */
export const IS_OF_THIS_START = Prisma.sql`(
  EXISTS (SELECT FROM sends s WHERE s.id = r.send_id AND s.credit_reservation_id = l.reservation_id)
  OR r.send_id IS NULL AND r.lease_until > (SELECT created_at FROM credit_reservations c WHERE c.id = l.reservation_id))`;

const STORED_ROW = Prisma.sql`r.number, r.cells, r.state, r.problem_code AS "problemCode",
  CASE WHEN NOT r.allowed OR r.allowed_codes <> '{}' THEN r.allowed_codes END AS allowed, ${IS_OF_THIS_START} AS "isOfThisStart"`;
const ROWS = Prisma.sql`bulk_rows r JOIN bulk_lists l ON l.id = r.list_id`;

/**
 * SQL that locks the list if it has not changed since its rows were checked. Without the lock, a change that began before an approval
 * could commit after it and be mailed.
 */
function lockUnchanged({ id, state, version, reservationId, approvedBy }: BulkList): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM bulk_lists WHERE id = ${id} AND state = ${state} AND version = ${version}::int
      AND reservation_id IS NOT DISTINCT FROM ${reservationId}::text AND approved_by IS NOT DISTINCT FROM ${approvedBy}::text FOR UPDATE`;
}

/** Stores the use of columns and checks all rows again; earlier tests no longer count. */
export async function saveMapping(
  id: string,
  { uses, country }: { uses: readonly string[]; country: string },
  viewer: Viewer,
): Promise<Outcome<string>> {
  return withTemplate(id, async (db, { list, template }) => {
    const mapping = cleanMapping(uses, list.columns, listOwnUses(template, list.columns));
    const known = listCountries(list.mailType).includes(country) ? country : "";
    // No row is ready until it is checked, so that a check that is cut short lets none be sent.
    const changed = await db.$queryRaw<unknown[]>`
      WITH list AS (
        UPDATE bulk_lists SET mapping = ${JSON.stringify(mapping)}, country = ${known}, version = version + 1
        WHERE id = ${id} AND state = 'draft' AND version = ${list.version}::int RETURNING id
      ),
      unchecked AS (
        UPDATE bulk_rows r SET state = 'problem', problem = ${NOT_CHECKED}, problem_code = NULL
        FROM list WHERE r.list_id = list.id AND r.state = 'ready'
      )
      SELECT 1 FROM list`;
    if (changed.length === 0) return fail("in_progress", NOT_CHANGED_NOW);
    const saved = { ...list, mapping, country: known, version: list.version + 1 };
    for await (const checked of checkAgain(db, saved, template, ["ready", "problem"])) {
      await storeChecked(db, saved, checked, viewer);
    }
    await markDuplicates(db, id);
    return "Columns saved. All rows were checked again.";
  });
}

/** Lists placeholders that a column can fill: those of the text, and for a provider's template each column by its own name. */
export function listOwnUses(template: ListTemplate, columns: readonly string[]): string[] {
  const known = listPlaceholders(template);
  if (!template.body.template) return known;
  const named = columns.map(toPlaceholder).filter((name) => name !== "");
  return [...new Set([...known, ...named])];
}

function toPlaceholder(column: string): string {
  const name = column.trim().replace(/[^\w-]+/g, "_");
  return name.replace(/^[^A-Za-z_]+/, "").slice(0, 50);
}

/** Checks rows in these states again, a batch at a time, so that other requests are served. While the list runs, only rows of its last start. */
async function* checkAgain(db: Db, list: BulkList, template: ListTemplate, states: readonly RowState[]) {
  const rules = buildRules(list, template);
  for (let after = 0; ; ) {
    const rows = await db.$queryRaw<StoredRow[]>`
      SELECT ${STORED_ROW} FROM ${ROWS} WHERE r.list_id = ${list.id} AND r.number > ${after}::int
        AND r.state = ANY(${[...states]}::text[]) ORDER BY r.number LIMIT ${BATCH_ROWS}::int`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
    const open = rows.filter((row) => !ACTIVE_STATES.includes(list.state) || row.isOfThisStart);
    yield open.map((row) => checkCells({ ...row, cells: JSON.parse(row.cells) }, rules, template));
  }
}

async function storeChecked(db: Db, list: BulkList, rows: CheckedRow[], viewer: Viewer): Promise<void> {
  await db.$executeRaw`
    WITH list AS MATERIALIZED (${lockUnchanged(list)})
    UPDATE bulk_rows r SET state = c.state, problem = c.problem, problem_code = c.problem_code, warning = c.warning, address_key = c.address_key,
      address_check = NULL, changed_by = ${viewer.id}
    FROM list, unnest(${rows.map(({ number }) => number)}::int[], ${rows.map(({ state }) => state)}::text[],
      ${rows.map(({ problem }) => problem)}::text[], ${rows.map(({ problemCode }) => problemCode)}::text[],
      ${rows.map(({ warning }) => warning)}::text[], ${rows.map(({ addressKey }) => addressKey)}::text[])
      AS c(number, state, problem, problem_code, warning, address_key)
    WHERE r.list_id = list.id AND r.number = c.number AND r.state IN ('ready', 'problem')`;
}

/**
 * Stores and checks a corrected row. A refused row is sent under a new key. While a list is running, only refused rows can be
 * corrected, because the credits are reserved, and only with the scope `send:live`, because they are mailed then. A row that changed
 * since its form was opened (`opened` is the hash of the cells that it showed) is not stored.
 */
export async function correctRow(
  id: string,
  number: number,
  { cells, allow, opened }: { cells: ReadonlyMap<number, string>; allow: boolean; opened?: string },
  viewer: Viewer,
): Promise<Outcome<string>> {
  return withTemplate(id, async (db, { list, template, rules }) => {
    const row = await findRow(db, id, number);
    if (!row) return fail("not_found", NO_ROW);
    const may = checkCorrection(list, row, opened, viewer);
    if (!may.ok) return may;
    const before = JSON.parse(row.cells) as string[];
    const after = before.map((cell, at) => (cells.get(at) ?? cell).trim()).slice(0, list.columns.length);
    const long = findLongCell(number, after, list.columns);
    if (long !== null) return fail("bad_input", long);
    const known = row.allowed && row.problemCode ? [...row.allowed, row.problemCode] : row.allowed;
    const allowed = allow ? known : [];
    const checked = checkCells({ number, cells: after, allowed }, rules, template);
    // A refused row that is still wrong stays refused, so that its credits stay with it.
    const state = checked.state === "problem" && row.state === "refused" ? "refused" : checked.state;
    const changed = await db.$executeRaw`
        WITH list AS MATERIALIZED (${lockUnchanged(list)})
        UPDATE bulk_rows r SET cells = ${JSON.stringify(after)}, state = ${state}, problem = ${checked.problem}::text,
          problem_code = ${checked.problemCode}::text, warning = ${checked.warning}::text, address_key = ${checked.addressKey}::text, allowed = ${allowed?.length !== 0}, allowed_codes = ${allowed ?? []}::text[], changed_by = ${viewer.id},
          address_check = CASE WHEN cells = ${JSON.stringify(after)} THEN address_check END,
          tested_version = CASE WHEN cells = ${JSON.stringify(after)} THEN tested_version END,
          attempt = attempt + ${row.state === "refused" ? 1 : 0}::int, send_id = NULL
        FROM list WHERE r.list_id = list.id AND r.number = ${number}::int AND r.state = ${row.state} AND r.cells = ${row.cells}`;
    if (changed === 0) return fail("in_progress", ROW_NOT_CHANGED_NOW);
    if (state === "ready") {
      await markDuplicates(db, id, number);
      await markNotFound(db, id, number);
    }
    const now = await findRow(db, id, number);
    const isReady = now?.state === "ready";
    return `Row ${formatInteger(number)} ${isReady ? "can be sent." : "was saved. It still has a problem."}`;
  });
}

/** @param opened hash of the cells that the form showed */
function checkCorrection(
  list: BulkList,
  row: StoredRow,
  opened: string | undefined,
  viewer: Viewer,
): Outcome<null> {
  const may = checkScope(viewer, ACTIVE_STATES.includes(list.state) ? "send:live" : "send:test");
  if (!may.ok) return may;
  if (!isCorrectable(list, row)) {
    const isOfOther = isCorrectable(list, { ...row, isOfThisStart: true });
    return fail("in_progress", isOfOther ? NOT_OF_THIS_START : ROW_NOT_CHANGED_NOW);
  }
  return opened && opened !== sha256(row.cells) ? fail("in_progress", CHANGED_BY_OTHER) : succeed(null);
}

/** Takes a left-out row into the list again, with its problems. */
export async function takeBack(id: string, number: number, viewer: Viewer): Promise<Outcome<string>> {
  return withTemplate(id, async (db, { list, template, rules }) => {
    if (!OPEN_STATES.includes(list.state)) return fail("in_progress", NOT_CHANGED_NOW);
    const row = await findRow(db, id, number);
    if (row?.state !== "left_out" || row.cells === ERASED_CELLS)
      return fail("in_progress", ROW_NOT_CHANGED_NOW);
    const taken = await db.$executeRaw`
        WITH list AS MATERIALIZED (${lockUnchanged(list)})
        UPDATE bulk_rows r SET state = 'problem' FROM list
        WHERE r.list_id = list.id AND r.number = ${number}::int AND r.state = 'left_out' AND r.cells = ${row.cells}`;
    if (taken === 0) return fail("in_progress", ROW_NOT_CHANGED_NOW);
    const checked = checkCells({ ...row, cells: JSON.parse(row.cells) }, rules, template);
    await storeChecked(db, list, [checked], viewer);
    await markDuplicates(db, id, number);
    return `Row ${formatInteger(number)} is in the list again.`;
  });
}

/**
 * Makes refused rows ready again, except those that a correction left with a problem, and those whose piece was mailed after all.
 * While a list runs, it takes only rows of its start: nothing is reserved for others, and no one approved them with it.
 */
export async function retryRefused(id: string, viewer: Viewer): Promise<Outcome<string>> {
  return withTemplate(id, async (db, { list, template }) => {
    if (list.state === "awaiting_approval") return fail("in_progress", NOT_CHANGED_NOW);
    let done = 0;
    for await (const checked of checkAgain(db, list, template, ["refused"])) {
      const good = checked.flatMap(({ state, number }) => (state === "ready" ? number : []));
      done += await db.$executeRaw`
        WITH list AS MATERIALIZED (${lockUnchanged(list)})
        UPDATE bulk_rows r SET state = 'ready', problem = NULL, problem_code = NULL, attempt = attempt + 1, send_id = NULL,
          changed_by = ${viewer.id}
        FROM list WHERE r.list_id = list.id AND r.number = ANY(${good}::int[]) AND r.state = 'refused'
          AND NOT EXISTS (SELECT FROM sends s WHERE s.id = r.send_id AND ${MAY_BE_MAILED})`;
    }
    return `${formatCount(done, "row")} can be sent again.`;
  });
}

export function isCorrectable(
  { state, approvedBy }: Pick<BulkList, "state" | "approvedBy">,
  row: Pick<StoredRow, "state" | "isOfThisStart">,
): boolean {
  // An approved list is sent exactly as approved, and nothing is reserved for rows of an earlier start.
  if (ACTIVE_STATES.includes(state))
    return row.state === "refused" && row.isOfThisStart && approvedBy === null;
  return OPEN_STATES.includes(state) && ["ready", "problem", "refused"].includes(row.state);
}

async function findRow(db: Db, listId: string, number: number): Promise<StoredRow | null> {
  const [row] = await db.$queryRaw<StoredRow[]>`
    SELECT ${STORED_ROW} FROM ${ROWS} WHERE r.list_id = ${listId} AND r.number = ${number}::int`;
  return row ?? null;
}

/** Allows one problem in all rows that have it. A row with another problem still stops. */
export function allowAll(id: string, code: ProblemCode, viewer: Viewer): Promise<Outcome<string>> {
  return withList(id, async (db, list) => {
    if (!OPEN_STATES.includes(list.state)) return fail("in_progress", NOT_CHANGED_NOW);
    const done = await db.$executeRaw`
      WITH list AS MATERIALIZED (${lockUnchanged(list)})
      UPDATE bulk_rows r SET state = 'ready', problem = NULL, problem_code = NULL, allowed = true, changed_by = ${viewer.id},
        warning = CASE WHEN ${code} = 'finding' THEN concat_ws(' ', r.problem, r.warning) ELSE r.warning END,
        allowed_codes = CASE WHEN NOT r.allowed THEN ARRAY[${code}::text]
          WHEN r.allowed_codes = '{}' THEN r.allowed_codes ELSE r.allowed_codes || ${code}::text END
      FROM list WHERE r.list_id = list.id AND r.state = 'problem' AND r.problem_code = ${code}`;
    await markDuplicates(db, id);
    return `${formatCount(done, "row")} allowed.`;
  });
}

/** Leaves rows out: one, all with a problem, or all with one kind of problem. */
export function leaveOut(id: string, number: number | null, viewer: Viewer, code: ProblemCode | null = null) {
  const isWanted =
    number === null
      ? Prisma.sql`r.state = 'problem' AND (${code}::text IS NULL OR r.problem_code = ${code}::text)`
      : Prisma.sql`r.number = ${number}::int AND r.state IN ('ready', 'problem')`;
  return withList(id, async (db, list) => {
    if (!OPEN_STATES.includes(list.state)) return fail("in_progress", NOT_CHANGED_NOW);
    const done = await db.$executeRaw`
      WITH list AS MATERIALIZED (${lockUnchanged(list)})
      UPDATE bulk_rows r SET state = 'left_out', changed_by = ${viewer.id}
      FROM list WHERE r.list_id = list.id AND ${isWanted}`;
    return done === 0 && number !== null
      ? fail("in_progress", ROW_NOT_CHANGED_NOW)
      : `${formatCount(done, "row")} left out.`;
  });
}
