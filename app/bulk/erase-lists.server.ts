import type { Db } from "~/platform/database/client";
import { Prisma } from "../../prisma/client/client";
import type { RowState } from "./bulk-list";
import { forgetDesigns } from "./design.server";
import { ERASED } from "./messages";
import { closeApprovalAlarm } from "./sending/list-approval.server";

/** A row of a list that is about a person. */
export interface PersonsRow {
  list: string;
  number: number;
  state: RowState;
  /** JSON: its cells as texts. */
  cells: string;
}

/** The rows of pieces to a person, and those whose cells name them. @param pieces ids of the pieces to the person */
export function findListRowsAbout(
  db: Db,
  pieces: readonly string[],
  mentions: (text: Prisma.Sql) => Prisma.Sql,
): Promise<PersonsRow[]> {
  return db.$queryRaw<PersonsRow[]>`
    SELECT l.name AS list, r.number, r.state, r.cells FROM bulk_rows r JOIN bulk_lists l ON l.id = r.list_id
    WHERE r.send_id = ANY(${[...pieces]}::text[]) OR ${mentions(Prisma.sql`r.cells`)}
    ORDER BY l.created_at, l.id, r.number`;
}

/**
 * Erases the rows of a person: those of pieces to them, and those whose cells name them. A row that is not sent yet is left
 * out, so that nothing is mailed to them by a list any more. Part of a transaction.
 * @param pieces ids of the pieces to the person
 */
export function eraseListRows(
  db: Db,
  pieces: readonly string[],
  mentions: (text: Prisma.Sql) => Prisma.Sql,
): Promise<number> {
  return db.$executeRaw`
    UPDATE bulk_rows SET cells = '[]', problem = NULL, problem_code = NULL, address_key = NULL,
      state = CASE WHEN state IN ('ready', 'problem', 'refused') THEN 'left_out' ELSE state END
    WHERE (send_id = ANY(${[...pieces]}::text[]) OR ${mentions(Prisma.sql`cells`)}) AND state <> 'sending'`;
}

/** Takes people and designs from lists that ended, or were last changed, so many days ago. */
export async function expireLists(db: Db, days: number): Promise<number> {
  const expired = await db.$queryRaw<{ id: string }[]>`
    UPDATE bulk_lists SET design = (design::jsonb || '{"body":{},"files":{}}'::jsonb)::text, state = CASE WHEN state IN ('draft', 'awaiting_approval') THEN 'stopped' ELSE state END,
      erased_at = now(), tested_version = NULL
    WHERE erased_at IS NULL AND state NOT IN ('running', 'paused')
      AND coalesce(ended_at, created_at) < now() - ${days}::int * interval '1 day'
    RETURNING id`;
  const ids = expired.map(({ id }) => id);
  if (ids.length === 0) return 0;
  forgetDesigns();
  for (const id of ids) await closeApprovalAlarm(db, id, "system", ERASED);
  return db.$executeRaw`
    UPDATE bulk_rows SET cells = '[]', address_key = NULL, problem = NULL, problem_code = NULL,
      state = CASE WHEN state IN ('ready', 'problem', 'refused') THEN 'left_out' ELSE state END
    WHERE list_id = ANY(${ids}::text[])`;
}
