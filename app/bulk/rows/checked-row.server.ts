import { parseAddressee } from "~/recipients/addressee.server";
import { checkRow, type RowRules } from "./check-row";

/** A row with what came of checking it. */
export interface CheckedRow {
  number: number;
  cells: string[];
  state: "ready" | "problem" | "left_out";
  problem: string | null;
  /** Equal for equal addresses; null for a row that names no one. */
  addressKey: string | null;
}

/** Checks a row by itself; duplicates are looked for among all. @param build the fields of its piece */
export function checkCells(
  { number, cells, leftOut = null }: { number: number; cells: string[]; leftOut?: string | null },
  rules: RowRules,
  build: (cells: string[]) => Record<string, unknown>,
): CheckedRow {
  const problems = checkRow(cells, rules);
  const problem = problems.length > 0 ? problems.join(" ") : null;
  const addressKey = parseAddressee({ recipient: build(cells).recipient }).key;
  if (leftOut !== null) return { number, cells, state: "left_out", problem: leftOut, addressKey };
  return { number, cells, state: problem === null ? "ready" : "problem", problem, addressKey };
}
