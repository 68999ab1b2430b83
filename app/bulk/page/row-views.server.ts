import type { PieceState } from "~/pieces/states";
import { findShownStatus } from "~/pieces/status";
import type { Db } from "~/platform/database/client";
import { selectLetterText } from "~/print/layout/layout";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { findPageSize } from "~/print/letter/page";
import { parsePreviewView } from "~/print/preview/preview-view";
import type { Prisma } from "../../../prisma/client/client";
import { type BulkList, type Design, OPEN_STATES, type ProblemCode, type RowState } from "../bulk-list";
import { buildBody, buildPreview, buildRules } from "../design.server";
import { parseRow } from "../rows/check-row";
import { isCorrectable } from "../rows/edit-rows.server";
import type { Tone } from "./list-view";

/** A row as the page of its list shows it. */
export interface RowRecord {
  number: number;
  cells: string;
  state: RowState;
  problem: string | null;
  problemCode: ProblemCode | null;
  warning: string | null;
  allowed: boolean;
  sendId: string | null;
  pieceState: PieceState | null;
  status: string | null;
  tested: boolean;
  testPiece: string | null;
  testProblem: string | null;
}

const ROW_WORDS: Record<RowState, { word: string; tone: Tone }> = {
  ready: { word: "ready", tone: "neutral" },
  problem: { word: "to correct", tone: "warn" },
  left_out: { word: "left out", tone: "neutral" },
  sending: { word: "sending", tone: "accent" },
  checking: { word: "checking", tone: "warn" },
  sent: { word: "sent", tone: "ok" },
  refused: { word: "refused", tone: "bad" },
};

/** Selects rows with their pieces and tests. @param rest of the statement, after its first condition */
export function selectRows(db: Db, id: string, rest: Prisma.Sql): Promise<RowRecord[]> {
  return db.$queryRaw<RowRecord[]>`
    SELECT r.number, r.cells, r.state, r.problem, r.problem_code AS "problemCode", r.warning, r.allowed, r.send_id AS "sendId", p.state AS "pieceState", i.status,
      coalesce(r.tested_version = l.version, false) AS tested, t.id AS "testPiece", r.test_problem AS "testProblem"
    FROM bulk_rows r JOIN bulk_lists l ON l.id = r.list_id
      LEFT JOIN LATERAL (SELECT state FROM sends WHERE id = r.send_id) p ON true
      LEFT JOIN mail_items i ON i.send_id = r.send_id LEFT JOIN tested_pieces t ON t.id = r.tested_piece_id
    WHERE r.list_id = ${id} ${rest}`;
}

export type RowEntry = ReturnType<typeof toEntry>;
export type RowForm = ReturnType<typeof toForm>;

export function toEntry(row: RowRecord, list: BulkList, rules: ReturnType<typeof buildRules>) {
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
    correctable: isCorrectable(list, row.state),
    leftOut: row.state === "left_out" && OPEN_STATES.includes(list.state),
    test: row.tested
      ? { pdf: row.testPiece === null ? null : `/tested/${row.testPiece}.pdf`, problem: row.testProblem }
      : null,
  };
}

export function toForm(row: RowRecord, list: BulkList) {
  const cells = JSON.parse(row.cells) as string[];
  return {
    number: row.number,
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

/** Draws the piece of a row as the Builder's preview does. */
export async function drawRow(row: RowRecord, list: BulkList, design: Design, url: URL) {
  const rules = buildRules(list, design);
  const state = buildPreview(design, buildBody(design, JSON.parse(row.cells), rules));
  const text = selectLetterText(state);
  const request = text === null ? null : { text, page_size: findPageSize(design.home) };
  const letter =
    request === null || request.text.trim() === ""
      ? null
      : { request, drawn: await drawLetter(request.text, request.page_size) };
  const fields = new FormData();
  for (const [name, value] of url.searchParams) fields.append(name, value);
  return { number: row.number, state, letter, view: parsePreviewView(fields) };
}
