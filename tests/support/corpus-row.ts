import type { FileRule } from "~/print/artwork/file-rules";

/** A file, the rule of its field, and what must be said of it: what it is, or the exact sentences. */
export interface CorpusFile {
  name: string;
  rule: FileRule;
  make: () => Uint8Array | Promise<Uint8Array>;
  verdict: string[] | ExpectedFile;
}

/** Its size in bytes is the file's own and goes without saying. */
export interface ExpectedFile {
  kind: "jpeg" | "png" | "pdf";
  widthPx?: number;
  heightPx?: number;
  pages?: number;
  pageSizePt?: { width: number; height: number };
}

export const FORMATS = "Invalid format. Allowed: jpeg, jpg, png, pdf";
export const UNMEASURED = ["Could not read image dimensions"];
export const FAILED = "Failed to process file";
export const CUT_OFF = [FAILED, "It breaks off before its end: save or download it again"];
export const CARD_PT = { width: 449.28, height: 305.28 };

export const jpeg = (widthPx: number, heightPx: number): ExpectedFile => ({
  kind: "jpeg",
  widthPx,
  heightPx,
});
export const png = (widthPx: number, heightPx: number): ExpectedFile => ({ kind: "png", widthPx, heightPx });
export const pdf = (pages?: number, pageSizePt?: { width: number; height: number }): ExpectedFile => ({
  kind: "pdf",
  ...(pages === undefined ? {} : { pages }),
  ...(pageSizePt === undefined ? {} : { pageSizePt }),
});

export type Row = [name: string, make: CorpusFile["make"], verdict: CorpusFile["verdict"]];

export function listRows(rule: FileRule, rows: Row[]): CorpusFile[] {
  return rows.map(([name, make, verdict]) => ({ name, rule, make, verdict }));
}
