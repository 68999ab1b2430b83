import type { FileRule } from "~/print/artwork/file-rules";
import { CUT_OFF, NOT_MEASURABLE, NOT_PROCESSED, WRONG_KIND } from "~/print/artwork/messages";

/** A file, the rule of its field, and the expected result of its check: the file's facts, or the exact messages. */
export interface CorpusFile {
  name: string;
  rule: FileRule;
  make: () => Uint8Array | Promise<Uint8Array>;
  expected: string[] | ExpectedFile;
}

/** The size in bytes is left out: it is the file's. */
export interface ExpectedFile {
  kind: "jpeg" | "png" | "pdf";
  widthPx?: number;
  heightPx?: number;
  pages?: number;
  isCmyk?: true;
  pageSizePt?: { width: number; height: number };
}

export const FORMATS = WRONG_KIND.frontOrBack;
export const UNMEASURED = [NOT_MEASURABLE];
export const FAILED = NOT_PROCESSED;
export const INCOMPLETE = [FAILED, CUT_OFF];
export const CARD_PT = { width: 449.28, height: 305.28 };

export const jpeg = (widthPx: number, heightPx: number): ExpectedFile => ({
  kind: "jpeg",
  widthPx,
  heightPx,
});
export const png = (widthPx: number, heightPx: number): ExpectedFile => ({ kind: "png", widthPx, heightPx });
export const pdf = (pages: number, pageSizePt: { width: number; height: number }): ExpectedFile => ({
  kind: "pdf",
  pages,
  pageSizePt,
});

export type Row = [name: string, make: CorpusFile["make"], expected: CorpusFile["expected"]];

export function listRows(rule: FileRule, rows: Row[]): CorpusFile[] {
  return rows.map(([name, make, expected]) => ({ name, rule, make, expected }));
}
