import type { PieceState } from "~/pieces/states";
import { findShownStatus } from "~/pieces/status";
import type { Db } from "~/platform/database/client";
import { sha256 } from "~/platform/hash.server";
import { findLetterText } from "~/print/layout/layout";
import { RECIPIENT_FIELDS } from "~/print/layout/preview-content";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { findPageSize } from "~/print/letter/page";
import { parsePreviewView } from "~/print/preview/preview-view";
import { type BulkRow, Prisma } from "../../../prisma/client/client";
import { ERASED_CELLS, type ListTemplate, OPEN_STATES, type ProblemCode, type RowState } from "../bulk-list";
import { listFilled, listOwnPlaceholders, parseRow, parseUse } from "../columns";
import type { BulkList } from "../list-record.server";
import { buildBody, buildPreview, type ListToSend, type RowRules } from "../list-template.server";
import { IS_OF_THIS_START, isCorrectable, listOwnUses } from "../rows/edit-rows.server";
import { ROW_FILTERS, type RowFilter, type Tone } from "./list-view";

const ROWS_PER_PAGE = 50;
const MAX_SEARCH_CHARS = 100;

interface RowRecord
  extends Pick<BulkRow, "number" | "cells" | "problem" | "warning" | "allowed" | "sendId" | "testProblem"> {
  state: RowState;
  problemCode: ProblemCode | null;
  pieceState: PieceState | null;
  status: string | null;
  tested: boolean;
  testPiece: string | null;
  isOfThisStart: boolean;
}

export type RowEntry = ReturnType<typeof toEntry>;
export type RowForm = NonNullable<ReturnType<typeof toForm>>;

const ROW_WORDS: Record<RowState, { word: string; tone: Tone }> = {
  ready: { word: "ready", tone: "neutral" },
  problem: { word: "to correct", tone: "warn" },
  left_out: { word: "left out", tone: "neutral" },
  sending: { word: "sending", tone: "accent" },
  checking: { word: "checking", tone: "warn" },
  sent: { word: "sent", tone: "ok" },
  refused: { word: "refused", tone: "bad" },
};

/** Loads a page of the rows that the address selects, and the row that it chooses, else the first to correct or ready one. */
export async function loadRows(db: Db, list: BulkList, counts: Record<RowFilter, number>, url: URL) {
  const query = url.searchParams;
  // When the last row of a filter is corrected, all rows are shown.
  const names = Object.keys(ROW_FILTERS) as RowFilter[];
  const filter = names.find((name) => name === query.get("show") && counts[name] > 0) ?? "all";
  const search = (query.get("q") ?? "").trim().slice(0, MAX_SEARCH_CHARS).replaceAll("\0", "");
  const found = { filter, search, page: 1, pages: 1, rows: [], chosen: null };
  // During an import, or after a failed one, there is nothing to show.
  if (list.columns.length === 0) return found;
  const selected = Prisma.sql`${isInFilter(filter)} AND ${isFound(search)}`;
  const [matches] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM bulk_rows r WHERE r.list_id = ${list.id} AND ${selected}`;
  const pages = Math.max(1, Math.ceil((matches?.count ?? 0) / ROWS_PER_PAGE));
  const page = Math.min(pages, parseNumber(query.get("page")) ?? 1);
  const range = Prisma.sql`ORDER BY r.number LIMIT ${ROWS_PER_PAGE}::int OFFSET ${(page - 1) * ROWS_PER_PAGE}::int`;
  const rows = await selectRows(db, list.id, Prisma.sql`${selected} ${range}`);
  const next = parseNumber(query.get("next"));
  const number =
    (next && (await findNextToCorrect(db, list.id, next))) ??
    parseNumber(query.get("row")) ??
    (filter === "problem" ? rows[0]?.number : null);
  const showsReady = list.state === "awaiting_approval" || OPEN_STATES.includes(list.state);
  const choice = number
    ? Prisma.sql`r.number = ${number}::int`
    : Prisma.sql`r.state = 'ready' AND ${showsReady} ORDER BY r.number LIMIT 1`;
  const [chosen = null] = await selectRows(db, list.id, choice);
  return { ...found, page, pages, rows, chosen };
}

/** @param rest conditions, order and limit */
function selectRows(db: Db, id: string, rest: Prisma.Sql): Promise<RowRecord[]> {
  return db.$queryRaw<RowRecord[]>`
    SELECT r.number, r.cells, r.state, r.problem, r.problem_code AS "problemCode", r.warning, r.allowed, r.send_id AS "sendId", p.state AS "pieceState", i.status,
      coalesce(r.tested_version = l.version, false) AS tested, t.id AS "testPiece", r.test_problem AS "testProblem",
      ${IS_OF_THIS_START} AS "isOfThisStart"
    FROM bulk_rows r JOIN bulk_lists l ON l.id = r.list_id
      LEFT JOIN LATERAL (SELECT state FROM sends WHERE id = r.send_id) p ON true
      LEFT JOIN mail_items i ON i.send_id = r.send_id LEFT JOIN tested_pieces t ON t.id = r.tested_piece_id
    WHERE r.list_id = ${id} AND ${rest}`;
}

/** Finds the first row to correct from this number on, else the first of the list; null when there is none. */
async function findNextToCorrect(db: Db, id: string, from: number): Promise<number | null> {
  const [next] = await db.$queryRaw<{ number: number }[]>`
    SELECT number FROM bulk_rows WHERE list_id = ${id} AND state IN ('problem', 'refused')
    ORDER BY number < ${from}::int, number LIMIT 1`;
  return next?.number ?? null;
}

function isInFilter(filter: RowFilter): Prisma.Sql {
  if (filter === "all") return Prisma.sql`true`;
  if (filter === "warned") return Prisma.sql`r.state = 'ready' AND r.warning IS NOT NULL`;
  return Prisma.sql`r.state = ${filter}`;
}

/** SQL condition: a cell contains the text, or the row has this number. */
function isFound(search: string): Prisma.Sql {
  if (search === "") return Prisma.sql`true`;
  // Cells are stored as JSON.
  const text = JSON.stringify(search).slice(1, -1);
  const number = parseNumber(search);
  return Prisma.sql`(r.cells ILIKE ${`%${text.replace(/[\\%_]/g, "\\$&")}%`} OR r.number = ${number}::int)`;
}

function parseNumber(text: string | null): number | null {
  return /^[1-9]\d{0,6}$/.test(text ?? "") ? Number(text) : null;
}

export function toEntry(row: RowRecord, list: BulkList, rules: RowRules) {
  const { recipient } = parseRow(JSON.parse(row.cells), rules);
  const status =
    row.pieceState !== null && ["sent", "checking"].includes(row.state)
      ? findShownStatus(row.pieceState, row.status)
      : null;
  const { word, tone } = status ?? ROW_WORDS[row.state];
  return {
    number: row.number,
    name: [recipient.firstname, recipient.lastname].filter(Boolean).join(" ") || (recipient.company ?? ""),
    place: [recipient.address1, recipient.city, recipient.postcode, recipient.country]
      .filter(Boolean)
      .join(", "),
    word,
    tone,
    problem: row.problem ?? (row.state === "ready" ? row.warning : null),
    sendId: row.sendId,
    correctable: isCorrectable(list, row),
    leftOut: row.state === "left_out" && row.cells !== ERASED_CELLS && OPEN_STATES.includes(list.state),
    test: row.tested
      ? { pdf: row.testPiece === null ? null : `/tested/${row.testPiece}.pdf`, problem: row.testProblem }
      : null,
  };
}

/** The form that corrects a row; null when it cannot be corrected now. */
export function toForm(row: RowRecord, list: BulkList) {
  if (!isCorrectable(list, row)) return null;
  const cells = JSON.parse(row.cells) as string[];
  return {
    number: row.number,
    /** Hash of the cells that the form shows. */
    opened: sha256(row.cells),
    cells: list.columns.flatMap((label, at) =>
      list.mapping[at] ? [{ label, value: cells[at] ?? "", name: `cell.${at}` }] : [],
    ),
    problem: row.problem,
    /** True when a person may send it anyway. */
    allowable: row.allowed || row.problemCode !== null,
    allowed: row.allowed,
    canLeaveOut: OPEN_STATES.includes(list.state) && row.state !== "refused",
  };
}

/** Loads the columns with their use. @param required placeholders without a default in the text @param firstRow its cells as JSON */
export async function loadColumns(db: Db, list: BulkList, required: readonly string[], firstRow = "[]") {
  const sample: string[] = JSON.parse(firstRow);
  const filled = list.state === "draft" ? await countUnused(db, list) : [];
  return list.columns.map((name, at) => {
    const { use, fallback } = parseUse(list.mapping[at] ?? "");
    return {
      name,
      use,
      fallback,
      takesFallback: listFilled(use, required).length > 0,
      sample: sample[at] ?? "",
      /** Rows of a draft with a value in this unused column. */
      filled: filled.find((column) => column.at === at)?.count ?? null,
    };
  });
}

type FilledColumns = { at: number; count: number }[];

/**
 * Caches counts by list and version, because counting 50,000 rows takes half a second. Unused cells are not corrected, so the
 * counts change only with an import or other columns, which raise the version.
 */
const counted = new Map<string, FilledColumns>();
const MAX_COUNTED = 50;

async function countUnused(db: Db, { id, version, columns, mapping }: BulkList): Promise<FilledColumns> {
  const key = `${id} ${version}`;
  const known = counted.get(key);
  if (known) return known;
  const unused = columns.flatMap((_, at) => (mapping[at] ? [] : [at]));
  if (unused.length === 0) return [];
  // PostgreSQL cannot read the escapes of control characters, so a row with one counts as empty.
  const filled = await db.$queryRaw<FilledColumns>`
    SELECT c.at, count(*) FILTER (WHERE btrim(r.cells ->> c.at) <> '')::int AS count
    FROM (SELECT CASE WHEN strpos(cells, '\\u') > 0 THEN '[]' ELSE cells::jsonb END AS cells
      FROM bulk_rows WHERE list_id = ${id} OFFSET 0) r, unnest(${unused}::int[]) AS c (at)
    GROUP BY c.at`;
  if (counted.size >= MAX_COUNTED) counted.clear();
  counted.set(key, filled);
  return filled;
}

export function listUses(template: ListTemplate, columns: readonly string[]) {
  return [
    ...Object.entries(RECIPIENT_FIELDS).map(([value, label]) => ({ value, label })),
    ...listOwnPlaceholders(listOwnUses(template, columns)).map((name) => ({
      value: `{${name}}`,
      label: `{${name}}`,
    })),
  ];
}

export async function drawRow(row: RowRecord, { template, rules }: ListToSend, url: URL) {
  const state = buildPreview(template, buildBody(template, JSON.parse(row.cells), rules));
  const text = findLetterText(state);
  const request = text?.trim() ? { text, page_size: findPageSize(template.home) } : null;
  const letter = request && { request, drawn: await drawLetter(request.text, request.page_size) };
  const fields = new FormData();
  for (const [name, value] of url.searchParams) fields.append(name, value);
  return { number: row.number, state, letter, view: parsePreviewView(fields) };
}
