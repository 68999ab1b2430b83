import { decodeLatin1 } from "./kind";
import {
  type PdfDictionary,
  type PdfText,
  type PdfValue,
  parseObjectStart,
  parseValue,
  take,
  WHITE,
} from "./parse-pdf-syntax";

/** PDF viewers look for the end marker within these last bytes, because programs may add data after it. */
const END_REACH = 1_024;
/** Bytes to read for one object: first the short length, then the long one. */
const OBJECT_REACHES = [4 * 1024, 128 * 1024];
/** Bytes to read of one file in total, so that a hostile file cannot take long. */
const READING_LIMIT = 256 * 1024;
const SECTIONS_LIMIT = 64;
const SUBSECTION_REACH = 64;
const ENTRY_LENGTH = 20;
const TABLE_START = new RegExp(`${WHITE}*xref\\b`, "y");
const TABLE_END = new RegExp(`${WHITE}*trailer\\b`, "y");
const SUBSECTION_START = new RegExp(`${WHITE}*(\\d{1,10}) +(\\d{1,10})${WHITE}+`, "y");
const POINTER = new RegExp(`startxref${WHITE}+(\\d{1,10})${WHITE}+%%EOF`, "g");

/** A PDF with its cross-reference sections: one, and one more for each later addition. */
export interface OpenedPdf {
  bytes: Uint8Array;
  /** Bytes that may still be read. */
  left: number;
  /** Newest first. */
  sections: Section[];
}

interface Section {
  trailer: PdfDictionary;
  /** Null when the table is a compressed stream. */
  ranges: Range[] | null;
}

/** Entries of {@link ENTRY_LENGTH} bytes for the objects from `first` on. */
interface Range {
  first: number;
  count: number;
  start: number;
}

/** Null when the end marker is missing, because the file is cut off. */
export function openPdf(bytes: Uint8Array): OpenedPdf | null {
  const tail = decodeLatin1(bytes, bytes.length - END_REACH, END_REACH);
  if (!tail.includes("%%EOF")) return null;
  const pdf: OpenedPdf = { bytes, left: READING_LIMIT, sections: [] };
  const pointer = [...tail.matchAll(POINTER)].at(-1);
  let offset: PdfValue | undefined = pointer ? Number(pointer[1]) : undefined;
  // The limit also stops sections that point to each other in a circle.
  while (typeof offset === "number" && pdf.sections.length < SECTIONS_LIMIT) {
    const section = parseSection(pdf, offset);
    if (!section) break;
    pdf.sections.push(section);
    offset = section.trailer.get("Prev");
  }
  if (pdf.sections.length === 0) pdf.sections.push(...findTrailer(tail));
  return pdf;
}

/** Parses the value of an object; undefined when it is not where the file says. */
export function parseObject(pdf: OpenedPdf, objectNumber: number): PdfValue | undefined {
  const offset = findOffset(pdf, objectNumber);
  return offset === null ? undefined : parseObjectAt(pdf, offset, objectNumber);
}

/** Parses the page count at the start of a file that is optimised for the web and unchanged since; else null. */
export function parseLinearizedPageCount(pdf: OpenedPdf): number | null {
  const header = /^%PDF-[^\r\n]{0,20}[\r\n]+/.exec(decodeLatin1(pdf.bytes, 0, 64));
  const first = header ? parseObjectAt(pdf, header[0].length) : undefined;
  if (!(first instanceof Map) || !first.has("Linearized") || first.get("L") !== pdf.bytes.length) return null;
  const pages = first.get("N");
  return typeof pages === "number" ? pages : null;
}

/** Finds the last trailer near the end, which PDF viewers use when the file's own pointer is wrong. */
function findTrailer(tail: string): Section[] {
  const at = tail.lastIndexOf("trailer");
  const trailer = at === -1 ? undefined : parseValue({ text: tail, at: at + "trailer".length });
  return trailer instanceof Map ? [{ trailer, ranges: [] }] : [];
}

function parseSection(pdf: OpenedPdf, offset: number): Section | null {
  const start = open(pdf, offset, SUBSECTION_REACH);
  if (take(start, TABLE_START)) return parseTable(pdf, offset + start.at);
  const trailer = parseObjectAt(pdf, offset);
  return trailer instanceof Map && trailer.get("Type") === "XRef" ? { trailer, ranges: null } : null;
}

function parseTable(pdf: OpenedPdf, offset: number): Section | null {
  const ranges: Range[] = [];
  for (let at = offset; ; ) {
    const source = open(pdf, at, SUBSECTION_REACH);
    const subsection = take(source, SUBSECTION_START);
    if (subsection) {
      const range = { first: Number(subsection[1]), count: Number(subsection[2]), start: at + source.at };
      ranges.push(range);
      at = range.start + range.count * ENTRY_LENGTH;
      pdf.left -= SUBSECTION_REACH;
    } else if (take(source, TABLE_END)) {
      const trailer = parseValueAt(pdf, at + source.at);
      return trailer instanceof Map ? { trailer, ranges } : null;
    } else return null;
  }
}

function findOffset({ bytes, sections }: OpenedPdf, objectNumber: number): number | null {
  for (const { ranges } of sections) {
    for (const { first, count, start } of ranges ?? []) {
      if (objectNumber < first || objectNumber >= first + count) continue;
      const entry = decodeLatin1(bytes, start + (objectNumber - first) * ENTRY_LENGTH, ENTRY_LENGTH);
      const used = /^(\d{10}) \d{5} n/.exec(entry);
      return used ? Number(used[1]) : null;
    }
  }
  return null;
}

function parseObjectAt(pdf: OpenedPdf, offset: number, objectNumber?: number): PdfValue | undefined {
  return parseWithin(pdf, offset, (source) => {
    const found = parseObjectStart(source);
    const right = found !== null && (objectNumber === undefined || found === objectNumber);
    return right ? parseValue(source) : undefined;
  });
}

function parseValueAt(pdf: OpenedPdf, offset: number): PdfValue | undefined {
  return parseWithin(pdf, offset, parseValue);
}

function parseWithin<T>(
  pdf: OpenedPdf,
  offset: number,
  read: (source: PdfText) => T | undefined,
): T | undefined {
  for (const reach of OBJECT_REACHES) {
    const source = open(pdf, offset, reach);
    const value = read(source);
    // A value that cannot be parsed may have been read to its end.
    pdf.left -= value === undefined ? source.text.length : source.at;
    if (value !== undefined) return value;
  }
  return undefined;
}

function open({ bytes, left }: OpenedPdf, offset: number, reach: number): PdfText {
  return { text: decodeLatin1(bytes, offset, Math.max(0, Math.min(reach, left))), at: 0 };
}
