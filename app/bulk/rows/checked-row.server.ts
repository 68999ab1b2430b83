import { listFindings } from "~/print/layout/findings";
import { parseAddressee } from "~/recipients/addressee.server";
import type { Design, ProblemCode } from "../bulk-list";
import { buildBody, buildPreview } from "../design.server";
import { checkRow, type RowRules } from "./check-row";

/** A row with the result of its check. */
export interface CheckedRow {
  number: number;
  cells: string[];
  state: "ready" | "problem" | "left_out";
  problem: string | null;
  problemCode: ProblemCode | null;
  /** Findings that do not stop it. */
  warning: string | null;
  /** Equal for equal addresses; null for a row without a name. */
  addressKey: string | null;
}

interface RowToCheck {
  number: number;
  cells: string[];
  leftOut?: string | null;
  /** Problems that a person allowed; null for all. */
  allowed?: readonly ProblemCode[] | null;
}

/** Checks one row with the findings of its piece. `markDuplicates` then compares all rows. */
export function checkCells(row: RowToCheck, rules: RowRules, design: Design): CheckedRow {
  const { number, cells, leftOut = null, allowed = [] } = row;
  const body = buildBody(design, cells, rules);
  const addressKey = parseAddressee({ recipient: body.recipient }).key;
  const checked = { number, cells, problemCode: null, warning: null, addressKey };
  if (leftOut !== null) return { ...checked, state: "left_out", problem: leftOut };
  const problems = checkRow(cells, rules);
  if (problems.length > 0) return { ...checked, state: "problem", problem: problems.join(" ") };
  // Laying out the text of each letter would take minutes; the preview of a row does it.
  const findings = listFindings(buildPreview(design, body), null, design.pdf);
  const join = (...tones: string[]) =>
    findings.flatMap(({ tone, text }) => (tones.includes(tone) ? [text] : [])).join(" ") || null;
  const ruins = join("ruins");
  if (ruins === null || allowed === null || allowed.includes("finding")) {
    return { ...checked, state: "ready", problem: null, warning: join("ruins", "warn") };
  }
  return { ...checked, state: "problem", problem: ruins, problemCode: "finding", warning: join("warn") };
}
