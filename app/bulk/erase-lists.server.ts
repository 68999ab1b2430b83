import type { Db } from "~/platform/database/client";
import {
  formatAccount,
  type Identity,
  type Match,
  matchDetails,
  mayHold,
  toNameAndAddress,
} from "~/recipients/match-person.server";
import { listRowIds } from "~/recipients/person.server";
import { Prisma, type PrismaClient } from "../../prisma/client/client";
import type { RowState } from "./bulk-list";
import { parseRow } from "./columns";
import { RECIPIENT_ID_COLUMN } from "./import/import-group.server";
import { type BulkList, lockList } from "./list-record.server";
import { forgetTemplates, listCountries } from "./list-template.server";
import { ERASED } from "./messages";
import { closeListAlarm } from "./sending/list-approval.server";
import { endList } from "./sending/list-transitions.server";

/** SQL that empties row `r`. */
const EMPTY_ROW = Prisma.sql`cells = '[]', problem = NULL, problem_code = NULL, warning = NULL, address_key = NULL, test_problem = NULL,
  state = CASE WHEN r.state IN ('ready', 'problem', 'refused') THEN 'left_out' ELSE r.state END`;

/** A row of a list that is about a person. */
interface PersonsRow {
  listId: string;
  list: string;
  number: number;
  state: RowState;
  /** JSON: its cells as texts. */
  cells: string;
  testedPieceId: string | null;
}

type RowId = Pick<PersonsRow, "listId" | "number">;
const IS_JOINED = Prisma.sql`r.list_id = e.list_id AND r.number = e.number`;

interface ListColumns extends Pick<BulkList, "id" | "name" | "mailType" | "userId" | "country"> {
  columns: string;
  mapping: string;
  baseUrl: string | null;
  createdAt: Date;
}

/** Finds rows that are or may be about a person. @param pieces ids of the person's pieces */
export async function findListRows(db: Db, identity: Identity, pieces: readonly string[]) {
  const known = listRowIds(identity.known, "row");
  const isLinked = Prisma.sql`(r.send_id = ANY(${[...pieces]}::text[]) OR r.address_key = ANY(${identity.keys}::text[])
    OR r.list_id || ':' || r.number = ANY(${known}::text[]))`;
  const lists = await db.$queryRaw<ListColumns[]>`
    SELECT id, name, mail_type AS "mailType", user_id AS "userId", country, columns, mapping,
      design::json ->> 'baseUrl' AS "baseUrl", created_at AS "createdAt"
    FROM bulk_lists WHERE erased_at IS NULL ORDER BY created_at, id`;
  const matches: Match<PersonsRow>[] = [];
  for (const list of lists) {
    const match = buildRowMatcher(list, identity);
    const rows = await db.$queryRaw<(PersonsRow & { linked: boolean })[]>`
      SELECT list_id AS "listId", ${list.name} AS list, number, state, cells, tested_piece_id AS "testedPieceId",
        coalesce(${isLinked}, false) AS linked
      FROM bulk_rows r WHERE list_id = ${list.id} AND cells <> '[]' AND (${isLinked} OR ${mayHold(identity, Prisma.sql`lower(r.cells)`)})
      ORDER BY number`;
    for (const { linked, ...data } of rows) {
      const { link, details } = match(JSON.parse(data.cells));
      if (!linked && link === null) continue;
      matches.push({
        id: `row:${data.listId}:${data.number}`,
        link: linked || link === null ? "exact" : link,
        ...toNameAndAddress(details),
        at: list.createdAt,
        userId: list.userId,
        page: `/bulk/${list.id}`,
        isOpen: data.state === "sending" || data.state === "checking",
        data,
      });
    }
  }
  return matches;
}

/** Compares rows of one list with a person. A column that is not used may hold a whole name. */
function buildRowMatcher({ columns, mapping, mailType, country, baseUrl }: ListColumns, identity: Identity) {
  const names: string[] = JSON.parse(columns);
  const uses: string[] = JSON.parse(mapping);
  const rules = { mapping: uses, shared: [], countries: listCountries(mailType), country };
  const idColumn = names.indexOf(RECIPIENT_ID_COLUMN);
  return (cells: string[]) => {
    const details = parseRow(cells, rules).recipient;
    const id = cells[idColumn] ?? "";
    const account = baseUrl === null || id === "" ? null : formatAccount(baseUrl, id);
    const link = matchDetails(details, identity, account);
    const unused = cells.filter((cell, at) => cell !== "" && !uses[at]);
    const named = unused.some((cell) => matchDetails({ full_name: cell }, identity) !== null);
    return { link: link ?? (named ? ("name" as const) : null), details };
  };
}

/** Locks rows until the transaction ends. False when the state of one has changed since it was found. */
export async function lockListRows(db: Db, rows: readonly PersonsRow[]): Promise<boolean> {
  const locked = await db.$queryRaw<Pick<PersonsRow, "listId" | "number" | "state">[]>`
    SELECT r.list_id AS "listId", r.number, r.state FROM bulk_rows r JOIN ${joinRows(rows)} ON ${IS_JOINED}
    ORDER BY r.list_id, r.number FOR UPDATE OF r`;
  const states = new Map(locked.map(({ listId, number, state }) => [`${listId}:${number}`, state]));
  return rows.every(({ listId, number, state }) => states.get(`${listId}:${number}`) === state);
}

/** Erases rows. A row that is not sent yet is left out. */
export function eraseListRows(db: Db, rows: readonly RowId[]): Promise<number> {
  return db.$executeRaw`UPDATE bulk_rows r SET ${EMPTY_ROW} FROM ${joinRows(rows)} WHERE ${IS_JOINED}`;
}

function joinRows(rows: readonly RowId[]): Prisma.Sql {
  return Prisma.sql`unnest(${rows.map(({ listId }) => listId)}::text[], ${rows.map(({ number }) => number)}::int[])
    AS e (list_id, number)`;
}

/**
 * Erases people and templates from lists that ended, were last imported, or were made `days` ago. A paused list that sent nothing for
 * that time is stopped first, which releases its credits: no list keeps people because it was forgotten.
 */
export async function expireLists(db: PrismaClient, days: number): Promise<void> {
  const isExpired = Prisma.sql`erased_at IS NULL AND state <> 'running' AND now() - ${days}::int * interval '1 day' >
    CASE state WHEN 'paused' THEN greatest(created_at, started_at, served_at, starts_at) ELSE coalesce(ended_at, imported_at, created_at) END`;
  const lists = await db.$queryRaw<{ id: string }[]>`SELECT id FROM bulk_lists WHERE ${isExpired}`;
  for (const { id } of lists) {
    // One transaction, because nothing else would find the rows of a list that is marked as erased.
    await db.$transaction(async (tx) => {
      const list = await lockList(tx, id);
      const marked = await tx.$executeRaw`
        UPDATE bulk_lists SET design = (design::jsonb || '{"body":{},"files":{}}'::jsonb)::text,
          state = CASE WHEN state IN ('draft', 'awaiting_approval') THEN 'stopped' ELSE state END,
          erased_at = now(), tested_version = NULL
        WHERE id = ${id} AND ${isExpired}`;
      if (marked === 0 || !list) return;
      if (list.state === "paused") await endList(tx, list, "stopped", "system");
      await tx.$executeRaw`UPDATE bulk_rows r SET ${EMPTY_ROW} WHERE list_id = ${id}`;
      await closeListAlarm(tx, "approval_needed", id, "system", ERASED);
    });
  }
  if (lists.length > 0) forgetTemplates();
}
