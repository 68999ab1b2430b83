import {
  type CheckedFile,
  type FileCheck,
  type FileRule,
  findSizeProblem,
  type PictureSize,
  type Refusal,
  refuse,
  refuseUnprocessed,
} from "./file-rules";
import {
  CUT_OFF,
  EMPTY_FILE,
  ENCRYPTED_PDF,
  formatActualKind,
  formatWrongSide,
  IMAGE_AND_PDF,
  UNREADABLE_PDF,
} from "./messages";
import { parseJpeg, parsePng } from "./picture-size";

/** PDF viewers look for the header within this many bytes. */
const PDF_HEADER_REACH = 1_024;

/**
 * Checks a file by its content against the rule of its field, the same way in the browser and on the server. Looks at
 * each byte at most once and neither decodes images nor unpacks streams, so a hostile file costs no more than its size.
 */
export function checkFile(bytes: Uint8Array, rule: FileRule): FileCheck {
  const kind = checkStart(bytes, bytes.length, rule);
  if (typeof kind === "object") return kind;
  if (kind === "pdf") return findPdfProblem(bytes) ?? { ok: true, file: { kind, bytes: bytes.length } };
  // The provider might print the PDF, which is not what was measured here.
  if (decodeLatin1(bytes, 0, PDF_HEADER_REACH).includes("%PDF-"))
    return refuse(rule.wrongKind, IMAGE_AND_PDF);
  const size: PictureSize | Refusal = kind === "jpeg" ? parseJpeg(bytes) : parsePng(bytes);
  if ("ok" in size) return size;
  const misfits = listSizeMismatches(size, rule.pixels);
  if (misfits.length > 0) return refuse(...misfits);
  return { ok: true, file: { kind, bytes: bytes.length, ...size } };
}

/** Checks a file's first bytes (1 KB or more): its kind, or a refusal before the rest is read. */
export function checkStart(
  start: Uint8Array,
  sizeBytes: number,
  rule: FileRule,
): CheckedFile["kind"] | Refusal {
  if (sizeBytes === 0) return refuseUnprocessed(EMPTY_FILE);
  const kind = findKind(start);
  if (kind === null || !rule.kinds.includes(kind)) {
    const name = kind?.toUpperCase() ?? findForeignKindName(start);
    return refuse(rule.wrongKind, ...(name === null ? [] : [formatActualKind(name)]));
  }
  const tooLarge = findSizeProblem(sizeBytes);
  return tooLarge === null ? kind : refuse(tooLarge);
}

function listSizeMismatches(size: PictureSize, wanted: FileRule["pixels"]): string[] {
  if (!wanted) return [];
  const pairs = [
    ["Width", size.widthPx, wanted.widthPx],
    ["Height", size.heightPx, wanted.heightPx],
  ] as const;
  const exact = wanted.fit === "exactly";
  return pairs
    .filter(([, got, limit]) => (exact ? got !== limit : got > limit))
    .map(([side, got, limit]) => formatWrongSide(side, wanted.fit, limit, got));
}

/** Finds a file's kind from its first bytes; null for kinds that no field takes. */
export function findKind(bytes: Uint8Array): CheckedFile["kind"] | null {
  const start = decodeLatin1(bytes, 0, 8);
  if (start.startsWith("\xff\xd8\xff")) return "jpeg";
  if (start === "\x89PNG\r\n\x1a\n") return "png";
  return start.startsWith("%PDF-") ? "pdf" : null;
}

const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const FOREIGN_STARTS = [
  ["GIF8", "GIF"],
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["BM", "BMP"],
  ["8BPS", "Photoshop"],
  ["%!PS", "PostScript"],
  ["{\\rtf", "RTF"],
  ["PK\x03\x04", "ZIP (perhaps an Office document)"],
  ["\xd0\xcf\x11\xe0", "an old Office document"],
] as const;
/** Starting at byte 5 or ending at byte 12. */
const FOREIGN_INSIDES = [
  ["WEBP", "WebP"],
  ["ftypavif", "AVIF"],
  ["ftyphe", "HEIC"],
  ["ftypmif1", "HEIC"],
] as const;

function findForeignKindName(bytes: Uint8Array): string | null {
  const start = decodeLatin1(bytes, 0, 256).replace(BYTE_ORDER_MARK, "").trimStart();
  if (start.startsWith("<")) return /<svg\b/i.test(start) ? "SVG" : "HTML or XML";
  const inside = start.slice(4, 12);
  return (
    FOREIGN_STARTS.find(([begin]) => start.startsWith(begin))?.[1] ??
    FOREIGN_INSIDES.find(([mark]) => inside.endsWith(mark) || inside.startsWith(mark))?.[1] ??
    null
  );
}

/** Bytes as Latin-1 text, up to the end of the file. Meant for a few hundred KB at most. */
function decodeLatin1(bytes: Uint8Array, from: number, length: number): string {
  const parts: string[] = [];
  const end = Math.min(bytes.length, from + length);
  for (let at = Math.max(0, from); at < end; at += 8_192) {
    // Several times faster than spreading the bytes.
    parts.push(Reflect.apply(String.fromCharCode, null, bytes.subarray(at, Math.min(end, at + 8_192))));
  }
  return parts.join("");
}

/** PDF viewers look for the end marker within these last bytes, because programs may add data after it. */
const END_REACH = 1_024;
/** The most characters of a trailer that are read. */
const TRAILER_REACH = 128 * 1024;
/** Strings within strings are removed to this depth. */
const DEPTH_LIMIT = 32;
const POINTER = /startxref\s+(\d{1,10})\s+%%EOF/g;
const CROSS_REFERENCE_STREAM = /^\s*\d{1,10}\s+\d{1,5}\s+obj[\s\S]*?\/Type\s*\/XRef\b/;

/** Refuses a PDF that is cut off, has no trailer or is encrypted. Unpacks nothing. */
function findPdfProblem(bytes: Uint8Array): Refusal | null {
  const tail = decodeLatin1(bytes, bytes.length - END_REACH, END_REACH);
  if (!tail.includes("%%EOF")) return refuseUnprocessed(CUT_OFF);
  const trailer = tidy(findTrailer(bytes, tail));
  if (!/\/Root\b/.test(trailer)) return refuseUnprocessed(UNREADABLE_PDF);
  return /\/Encrypt\b(?!\s*null\b)/.test(trailer) ? refuseUnprocessed(ENCRYPTED_PDF) : null;
}

/**
 * Finds the newest trailer, or the dictionary of the cross-reference stream in its place; else the last trailer near the end,
 * which PDF viewers use when the file's own pointer is wrong.
 */
function findTrailer(bytes: Uint8Array, tail: string): string {
  const pointer = [...tail.matchAll(POINTER)].at(-1);
  const offset = pointer ? Number(pointer[1]) : bytes.length;
  const start = decodeLatin1(bytes, offset, TRAILER_REACH);
  if (CROSS_REFERENCE_STREAM.test(start)) return start.replace(/\bstream\b[\s\S]*/, "");
  // Other characters than ASCII do not matter.
  const section = /^\s*xref\b/.test(start) ? new TextDecoder("latin1").decode(bytes.subarray(offset)) : "";
  const at = section.indexOf("trailer");
  const found = at === -1 ? tail.slice(tail.lastIndexOf("trailer")) : section.slice(at, at + TRAILER_REACH);
  return found.startsWith("trailer") ? found.replace(/\bstartxref\b[\s\S]*/, "") : "";
}

/** Removes strings and comments, and decodes names: `/Encr#79pt` is `/Encrypt`. */
function tidy(dictionary: string): string {
  let text = dictionary;
  for (let depth = 0; depth < DEPTH_LIMIT; depth++) {
    const next = text.replace(/\((?:[^()\\]|\\[\s\S])*\)/g, " ");
    if (next === text) break;
    text = next;
  }
  return text
    .replace(/%[^\r\n]*/g, "")
    .replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
