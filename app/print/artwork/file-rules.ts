import type { PdfSize } from "~/ui/pdf/pdf-file";
import { formatTooLarge, NOT_PROCESSED, WRONG_KIND } from "./messages";

export interface FileRule {
  kinds: readonly CheckedFile["kind"][];
  wrongKind: string;
  /** Images only: a PDF has no pixels. */
  pixels?: { fit: "exactly" | "at most"; widthPx: number; heightPx: number };
}

export const FRONT_BACK: FileRule = {
  kinds: ["jpeg", "png", "pdf"],
  wrongKind: WRONG_KIND.frontOrBack,
  pixels: { fit: "at most", widthPx: 3_000, heightPx: 3_000 },
};

export const SIGNATURE: FileRule = {
  kinds: ["jpeg", "png"],
  wrongKind: WRONG_KIND.signature,
  pixels: { fit: "exactly", widthPx: 768, heightPx: 118 },
};

export const LETTER_PDF: FileRule = {
  kinds: ["pdf"],
  wrongKind: WRONG_KIND.letter,
};

const POSTCARD_FILES = { front: FRONT_BACK, back: FRONT_BACK, signature: SIGNATURE };
const LETTER_FILES = { file: LETTER_PDF };
const FILES_BY_PATH = new Map<string, Readonly<Record<string, FileRule>>>([
  ["postcards/create", POSTCARD_FILES],
  ["letters/create", LETTER_FILES],
  ["letters/post", LETTER_FILES],
]);

/** Finds the rule of a file field of a call, `path` with or without `.json`; null when any value is allowed. */
export function findFileRule(path: string, field: string): FileRule | null {
  const rules = FILES_BY_PATH.get(path.toLowerCase().replace(/\.json$/, ""));
  return rules && Object.hasOwn(rules, field) ? (rules[field] ?? null) : null;
}

/** For all files of one request: its body may have 20 MiB, base64 adds a third, and 950 KB are left for everything else. */
export const FILES_LIMIT_BYTES = 15_000_000;

/** Finds why files of these sizes in bytes do not fit into one request, or null. */
export function findSizeProblem(...sizes: number[]): string | null {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= FILES_LIMIT_BYTES) return null;
  return formatTooLarge(total, FILES_LIMIT_BYTES, sizes.length);
}

/** Finds why a file does not fit beside the others of its request, or null. The file that was added last gets the message. */
export function findTotalProblem(size: number, others: readonly number[]): string | null {
  const beside = others.filter((other) => other > 0);
  return beside.length > 0 ? findSizeProblem(size, ...beside) : null;
}

/** Facts of a file from its content. The pages of a PDF are absent when pdf.js cannot read it. */
export type CheckedFile = { bytes: number } & (
  | ({ kind: "jpeg" | "png" } & PictureSize)
  | ({ kind: "pdf" } & Partial<PdfSize>)
);

/** The size as shown: width and height are swapped for a JPEG that its EXIF data turns by 90 degrees. */
export interface PictureSize {
  widthPx: number;
  heightPx: number;
  /** True for four inks, which printing companies use. */
  isCmyk?: true;
}

export interface Refusal {
  ok: false;
  /** The problem, then (if it helps) the reason and the next step. */
  messages: string[];
}

export type FileCheck = { ok: true; file: CheckedFile } | Refusal;

export function refuse(...messages: string[]): Refusal {
  return { ok: false, messages };
}

export function refuseUnprocessed(why: string): Refusal {
  return refuse(NOT_PROCESSED, why);
}
