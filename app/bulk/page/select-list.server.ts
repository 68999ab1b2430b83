import { loadAccount } from "~/credits/ledger/ledger.server";
import { loadRemaining } from "~/credits/ledger/reservations.server";
import type { AddressVerdict } from "~/pieces/address-note";
import type { PieceState } from "~/pieces/states";
import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";
import { type BulkList, OPEN_STATES, type ProblemCode, type RowState } from "../bulk-list";
import { ROW_FILTERS, ROWS_PER_PAGE, type RowFilter } from "./list-view";
import { selectRows } from "./row-views.server";

/** Rows with a value in an unused column, by the column's place. */
interface FilledColumn {
  at: number;
  count: number;
}

/**
 * Caches counts by list and version, because counting 50,000 rows takes half a second. Unused cells are not corrected, so the
 * counts change only with an import or other columns, which raise the version.
 */
const counted = new Map<string, FilledColumn[]>();
const MAX_COUNTED = 50;
const MAX_SEARCH_CHARS = 100;
const RATE_WINDOW_SECONDS = 60;
const EMPTY_COUNTS: Record<RowState, number> = {
  ready: 0,
  problem: 0,
  left_out: 0,
  sending: 0,
  checking: 0,
  sent: 0,
  refused: 0,
};

/** Rows of a state by the provider's check of their address. */
export interface CheckCount {
  state: RowState;
  verdict: AddressVerdict;
  count: number;
}

/** Loads counts, pieces, money, people, and the rows that the address of the page selects. */
export async function selectList(db: Db, list: BulkList, url: URL) {
  const { id } = list;
  const show = url.searchParams.get("show") ?? "all";
  const states = await db.$queryRaw<{ state: RowState; count: number; warned: number; first: number }[]>`
    SELECT state, count(*)::int AS count, count(warning)::int AS warned, min(number)::int AS first
    FROM bulk_rows WHERE list_id = ${id} GROUP BY state`;
  // During an import, or after a failed one, there is nothing to show.
  const imported = list.columns.length > 0;
  const counts = { ...EMPTY_COUNTS };
  if (imported) for (const { state, count } of states) counts[state] = count;
  const ready = imported ? states.find(({ state }) => state === "ready") : undefined;
  const warned = ready?.warned ?? 0;
  // When the last row of a filter is corrected, all rows are shown.
  const filter = findFilter(show, { ...counts, warned });
  const search = (url.searchParams.get("q") ?? "").trim().slice(0, MAX_SEARCH_CHARS).replaceAll("\0", "");
  const inFilter = Prisma.sql`${isInFilter(filter)} ${isFound(search)}`;
  const [found] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM bulk_rows r WHERE r.list_id = ${id} ${inFilter}`;
  const matches = imported ? (found?.count ?? 0) : 0;
  const pages = Math.max(1, Math.ceil(matches / ROWS_PER_PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(url.searchParams.get("page") ?? "1", 10) || 1));
  const rows = imported
    ? await selectRows(
        db,
        id,
        Prisma.sql`${inFilter} ORDER BY r.number LIMIT ${ROWS_PER_PAGE}::int OFFSET ${(page - 1) * ROWS_PER_PAGE}::int`,
      )
    : [];
  // A list of rows to correct opens its first one.
  const first = filter === "problem" ? rows[0]?.number : null;
  const wanted = parseNumber(url.searchParams.get("row")) ?? first ?? null;
  const from = parseNumber(url.searchParams.get("next"));
  const nextToCorrect = from === null ? null : await findNextToCorrect(db, id, from);
  const [chosen = null] = imported
    ? await selectRows(
        db,
        id,
        (nextToCorrect ?? wanted) !== null
          ? Prisma.sql`AND r.number = ${nextToCorrect ?? wanted}::int`
          : list.state === "awaiting_approval" || OPEN_STATES.includes(list.state)
            ? Prisma.sql`AND r.state = 'ready' ORDER BY r.number LIMIT 1`
            : Prisma.sql`AND false`,
      )
    : [];
  const pieces = await db.$queryRaw<
    { rowState: RowState; state: PieceState; status: string | null; count: number; charged: number }[]
  >`
    SELECT r.state AS "rowState", p.state, i.status, count(*)::int AS count, sum(p.charged)::int AS charged
    FROM bulk_rows r JOIN (SELECT id, charged, state FROM sends) p ON p.id = r.send_id
      LEFT JOIN mail_items i ON i.send_id = r.send_id
    WHERE r.list_id = ${id} AND r.send_id IS NOT NULL GROUP BY r.state, p.state, i.status`;
  const allowable = await db.$queryRaw<{ code: ProblemCode; count: number }[]>`
    SELECT problem_code AS code, count(*)::int AS count FROM bulk_rows
    WHERE list_id = ${id} AND state = 'problem' AND problem_code IS NOT NULL GROUP BY problem_code ORDER BY problem_code`;
  const sumCharged = (some: typeof pieces) => some.reduce((sum, { charged }) => sum + charged, 0);
  const checks = await db.$queryRaw<CheckCount[]>`
    SELECT state, address_check AS verdict, count(*)::int AS count FROM bulk_rows
    WHERE list_id = ${id} AND address_check IS NOT NULL GROUP BY state, address_check`;
  const [recent] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM sends
    WHERE credit_reservation_id = ${list.reservationId} AND state <> 'refused' AND created_at > now() - ${RATE_WINDOW_SECONDS}::int * interval '1 second'`;
  const [test] = await db.$queryRaw<{ cost: string | null }[]>`
    SELECT t.cost FROM bulk_rows r JOIN tested_pieces t ON t.id = r.tested_piece_id
    WHERE r.list_id = ${id} AND r.tested_version = ${list.version}::int AND t.cost IS NOT NULL LIMIT 1`;
  const people = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, display_name AS name FROM users 
    WHERE id IN (${list.actorId}, ${list.starterId}, ${list.userId}, ${list.approval?.askedBy ?? null}, ${list.approvedBy})`;
  const nameOf = (who: string) => people.find((person) => person.id === who)?.name ?? who;
  const filled = list.state === "draft" && imported ? await countUnused(db, list) : [];
  const money = {
    reserved: list.reservationId === null ? 0 : await loadRemaining(db, list.reservationId),
    charged: sumCharged(pieces),
    refunded: sumCharged(pieces.filter(({ state }) => state === "cancelled")),
  };
  return {
    /** Parts of the view as the page shows them. */
    view: {
      counts,
      warned,
      firstReady: ready?.first ?? null,
      allowable: imported ? allowable : [],
      money,
      filter,
      search,
      page,
      pages,
    },
    filled,
    rows,
    chosen,
    statuses: pieces.filter(({ rowState }) => rowState === "checking" || rowState === "sent"),
    recent: recent?.count ?? 0,
    testCost: test?.cost ?? null,
    account: await loadAccount(db, list.userId),
    names: {
      actor: nameOf(list.actorId),
      starter: nameOf(list.starterId),
      payer: nameOf(list.userId),
      asker: nameOf(list.approval?.askedBy ?? ""),
      approver: list.approvedBy === null ? null : nameOf(list.approvedBy),
    },
    checks,
    sample: rows[0] ? (JSON.parse(rows[0].cells) as string[]) : [],
  };
}

/** Finds the first row to correct from this number on, else the first of the list; null when there is none. */
async function findNextToCorrect(db: Db, id: string, from: number): Promise<number | null> {
  const [next] = await db.$queryRaw<{ number: number }[]>`
    SELECT number FROM bulk_rows WHERE list_id = ${id} AND state IN ('problem', 'refused')
    ORDER BY number < ${from}::int, number LIMIT 1`;
  return next?.number ?? null;
}

async function countUnused(
  db: Db,
  { id, version, columns, mapping }: Pick<BulkList, "id" | "version" | "columns" | "mapping">,
): Promise<FilledColumn[]> {
  const key = `${id} ${version}`;
  const known = counted.get(key);
  if (known) return known;
  const unused = columns.flatMap((_, at) => (mapping[at] ? [] : [at]));
  if (unused.length === 0) return [];
  // PostgreSQL cannot read the escapes of control characters, so a row with one counts as empty.
  const filled = await db.$queryRaw<FilledColumn[]>`
    SELECT c.at, count(*) FILTER (WHERE btrim(r.cells ->> c.at) <> '')::int AS count
    FROM (SELECT CASE WHEN strpos(cells, '\\u') > 0 THEN '[]' ELSE cells::jsonb END AS cells
      FROM bulk_rows WHERE list_id = ${id} OFFSET 0) r, unnest(${unused}::int[]) AS c (at)
    GROUP BY c.at`;
  if (counted.size >= MAX_COUNTED) counted.clear();
  counted.set(key, filled);
  return filled;
}

function findFilter(show: string, counts: Record<RowState | "warned", number>): RowFilter {
  const known = (Object.keys(ROW_FILTERS) as RowFilter[]).find((name) => name === show) ?? "all";
  return known === "all" || counts[known] > 0 ? known : "all";
}

function isInFilter(filter: RowFilter): Prisma.Sql {
  if (filter === "all") return Prisma.empty;
  if (filter === "warned") return Prisma.sql`AND r.state = 'ready' AND r.warning IS NOT NULL`;
  return Prisma.sql`AND r.state = ${filter}`;
}

/** SQL condition: a cell contains the text, or the row has this number. */
function isFound(search: string): Prisma.Sql {
  if (search === "") return Prisma.empty;
  // Cells are stored as JSON.
  const text = JSON.stringify(search).slice(1, -1);
  const number = parseNumber(search);
  return Prisma.sql`AND (r.cells ILIKE ${`%${text.replace(/[\\%_]/g, "\\$&")}%`} OR r.number = ${number}::int)`;
}

function parseNumber(text: string | null): number | null {
  return /^[1-9]\d{0,6}$/.test(text ?? "") ? Number(text) : null;
}
