import type { Viewer } from "~/people/viewer.server";
import { formatCount } from "~/platform/format-integer";
import { fail, type Outcome } from "~/platform/outcome";
import { Prisma } from "../../../prisma/client/client";
import { OPEN_STATES, type ProblemCode } from "../bulk-list";
import { withList } from "../list-record.server";
import { NOT_CHANGED_NOW } from "../messages";
import { lockUnchanged, ROW_NOT_CHANGED_NOW } from "./edit-rows.server";
import { markDuplicates } from "./mark-duplicates.server";

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
export function leaveOut(
  id: string,
  number: number | null,
  viewer: Viewer,
  code: ProblemCode | null = null,
): Promise<Outcome<string>> {
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
