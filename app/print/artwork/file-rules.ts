import type { CheckedFile } from "./file-check";

/** What may stand in one file field (spec §5 Images, Letter). */
export interface FileRule {
  kinds: readonly CheckedFile["kind"][];
  /** Said of every other kind. */
  wrongKind: string;
  /** Pictures only: a PDF has no pixels. */
  pixels?: { fit: "exactly" | "at most"; widthPx: number; heightPx: number };
}

/** Front and back of a postcard. */
export const FRONT_BACK: FileRule = {
  kinds: ["jpeg", "png", "pdf"],
  wrongKind: "Invalid format. Allowed: jpeg, jpg, png, pdf",
  pixels: { fit: "at most", widthPx: 3_000, heightPx: 3_000 },
};

export const SIGNATURE: FileRule = {
  kinds: ["jpeg", "png"],
  wrongKind: "Invalid format. Allowed: jpeg, png",
  pixels: { fit: "exactly", widthPx: 768, heightPx: 118 },
};

export const LETTER_PDF: FileRule = {
  kinds: ["pdf"],
  wrongKind: "The letter file must be a PDF",
};

const POSTCARD_FILES = { front: FRONT_BACK, back: FRONT_BACK, signature: SIGNATURE };
const LETTER_FILES = { file: LETTER_PDF };
const FILES_BY_PATH = new Map<string, Readonly<Record<string, FileRule>>>([
  ["postcards/create", POSTCARD_FILES],
  ["letters/create", LETTER_FILES],
  ["letters/post", LETTER_FILES],
]);

/** What may stand in a field of a call, `path` with or without `.json`; null where anything may. */
export function findFileRule(path: string, field: string): FileRule | null {
  const rules = FILES_BY_PATH.get(path.toLowerCase().replace(/\.json$/, ""));
  return rules && Object.hasOwn(rules, field) ? (rules[field] ?? null) : null;
}

/**
 * What the files of one request may have together. A request's body may have 20 MiB (security.md row 17), base64
 * grows by a third, and this leaves 950 KB for everything else.
 */
export const FILES_LIMIT_BYTES = 15_000_000;

/**
 * Why files cannot travel in one request, or null.
 * @param sizes in bytes
 */
export function findSizeProblem(...sizes: number[]): string | null {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= FILES_LIMIT_BYTES) return null;
  const one = sizes.length === 1;
  return `${one ? "The file has" : "The files have"} ${toMegabytes(total)} MB${one ? "" : " together"}; one request carries at most ${toMegabytes(FILES_LIMIT_BYTES)} MB of files. Please reduce image sizes or content`;
}

/**
 * Why a file is one too many beside the others of the same request, or null; said of the file that comes last.
 * @param others in bytes
 */
export function findTotalProblem(size: number, others: readonly number[]): string | null {
  const beside = others.filter((other) => other > 0);
  return beside.length > 0 ? findSizeProblem(size, ...beside) : null;
}

/** Rounded up, so that what is over the limit never reads like it. */
function toMegabytes(bytes: number): string {
  return (Math.ceil(bytes / 10_000) / 100).toFixed(2).replace(/\.00$/, "");
}
