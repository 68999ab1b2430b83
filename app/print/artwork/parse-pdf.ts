import { type Refusal, refuseCutOff, refuseUnprocessed } from "./checked-file";
import { decodeLatin1 } from "./kind";
import { ENCRYPTED_PDF, UNREADABLE_PDF } from "./messages";

/** PDF viewers look for the end marker within these last bytes, because programs may add data after it. */
const END_REACH = 1_024;
/** The most characters of a trailer that are read. */
const TRAILER_REACH = 128 * 1024;
/** Strings within strings are removed to this depth. */
const DEPTH_LIMIT = 32;
const POINTER = /startxref\s+(\d{1,10})\s+%%EOF/g;
const CROSS_REFERENCE_STREAM = /^\s*\d{1,10}\s+\d{1,5}\s+obj[\s\S]*?\/Type\s*\/XRef\b/;

/**
 * Refuses a PDF that is cut off, has no trailer or is encrypted; null for any other. Unpacks nothing.
 * @param bytes begin with the PDF header
 */
export function findPdfProblem(bytes: Uint8Array): Refusal | null {
  const tail = decodeLatin1(bytes, bytes.length - END_REACH, END_REACH);
  if (!tail.includes("%%EOF")) return refuseCutOff();
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
