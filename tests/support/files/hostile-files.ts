import { DAMAGED_JPEG, DAMAGED_PNG, NO_IMAGE, UNREADABLE_PDF } from "~/print/artwork/messages";
import { CARD_PT, FAILED, INCOMPLETE, pdf, type Row, UNMEASURED } from "./corpus-row";
import { changed } from "./pdf-corpus";
import { latin1, planPages, updatePdf, writePdf } from "./sample-pdfs";
import { makeJpeg, makePng, segment } from "./sample-pictures";

/** Files that are costly to read: as large as a file may be, or with cycles and deep nesting. */

const NO_TABLE = [FAILED, UNREADABLE_PDF];
const LARGEST = 15_000_000;

/** A PDF with a valid catalogue and an invalid page tree. */
function withTree(pages: string, ...more: string[]) {
  return writePdf({ objects: ["<< /Type /Catalog /Pages 2 0 R >>", pages, ...more] });
}

function updateOften(times: number, trailer = "") {
  let bytes = writePdf(planPages(1));
  for (let update = 0; update < times; update++) bytes = updatePdf(bytes, {}, trailer);
  return bytes;
}

/** A PDF with a regular end whose pointer leads to the body at `at`. */
function pointAt(at: number, body: string) {
  return latin1(`%PDF-1.4\n${body}\nstartxref\n${at}\n%%EOF\n`);
}

/** Repeats a unit between a start and an end, up to the largest size. */
function flood(start: Uint8Array, unit: ArrayLike<number>, end: Uint8Array = new Uint8Array()) {
  const middle = Buffer.alloc(LARGEST - start.length - end.length, Uint8Array.from(unit as number[]));
  return Buffer.concat([start, middle, end]);
}

/** Floods a PDF with a unit in an object that never ends. */
function fill(start: string, unit: string, end = "\nstartxref\n9\n%%EOF\n") {
  return () => flood(latin1(`%PDF-1.4\n${start}`), latin1(unit), latin1(end));
}

const whole = makeJpeg(8, 8);
const FRAME = whole.subarray(0, -2);
const SCAN = Buffer.from(whole).indexOf(Buffer.from([0xff, 0xda]));
const EXIF = segment(0xe1, Buffer.from("Exif\0\0MM\0*\0\0\0\x08\0\0"));
const TRAILER = "trailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n";
const HEAD = makePng(8, 8).subarray(0, 33);
const IDAT = [0x49, 0x44, 0x41, 0x54];
const CIRCLE = "<< /Type /Pages /Count 1 /Kids [2 0 R] >>";
const ONE_KID = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>";
const NESTED = `<< /Count 1 /Kids ${"<< /A ".repeat(10_000)}1${" >>".repeat(10_000)} >>`;
const NO_PAGES = { kind: "pdf" } as const;
/** The size of a page without a usable box. */
const LETTER = pdf(1, { width: 612, height: 792 });

export const HOSTILE_FILES: Row[] = [
  ["15 MB of fill bytes", () => flood(FRAME, [0xff]), INCOMPLETE],
  ["15 MB of stuffed bytes", () => flood(FRAME, [0xff, 0x00]), INCOMPLETE],
  ["15 MB of restart marks", () => flood(FRAME, [0xff, 0xd0]), INCOMPLETE],
  ["15 MB of empty segments", () => flood(FRAME, [0xff, 0xfe, 0, 2]), INCOMPLETE],
  ["15 MB of empty EXIF segments", () => flood(whole.subarray(0, 2), EXIF), UNMEASURED],
  ["a segment of length 0", () => flood(FRAME, [0xff, 0xfe, 0, 0]), [FAILED, DAMAGED_JPEG]],
  ["15 MB of empty chunks", () => flood(HEAD, [0, 0, 0, 0, 0x70, 0x61, 0x44, 0x64, 0, 0, 0, 0]), INCOMPLETE],
  ["a named chunk of 2^32 - 1", () => flood(HEAD, [0xff, 0xff, 0xff, 0xff, ...IDAT]), [FAILED, DAMAGED_PNG]],
  ["a chunk without a name", () => flood(HEAD, [0]), [FAILED, DAMAGED_PNG]],
  ["a chunk of 2^32 - 1", () => flood(HEAD, [0xff, 0xff, 0xff, 0xff]), [FAILED, DAMAGED_PNG]],
  ["a chunk far beyond the end", () => flood(HEAD, [0x7f, 0xff, 0xff, 0xff, ...IDAT]), INCOMPLETE],
  [
    "a JPEG without picture data",
    () => Buffer.concat([whole.subarray(0, SCAN), whole.subarray(-2)]),
    [FAILED, NO_IMAGE],
  ],
  [
    "a PNG without picture data",
    () => Buffer.concat([HEAD, makePng(8, 8).subarray(-12)]),
    [FAILED, NO_IMAGE],
  ],
  ["15 MB of opening brackets", fill("9 0 obj ", "["), NO_TABLE],
  ["15 MB of opening strings", fill("9 0 obj ", "("), NO_TABLE],
  ["15 MB of white space", fill("", " "), NO_TABLE],
  ["15 MB of comments", fill("9 0 obj ", "%\n"), NO_TABLE],
  ["15 MB of digits", fill("9 0 obj [", "7"), NO_TABLE],
  ["15 MB of numbers", fill("9 0 obj [", "1 1 "), NO_TABLE],
  ["15 MB of empty subsections", fill("xref\n", "1 0\n", TRAILER), NO_PAGES],
  ["a subsection of 10^10 entries", () => pointAt(9, "xref\n0 9999999999\ntrailer << /Size 1 >>"), NO_TABLE],
  ["a pointer to 10^10", () => pointAt(9_999_999_999, "1 0 obj << >> endobj"), NO_TABLE],
  ["a pointer to itself", () => pointAt(9, "xref\n0 0\ntrailer << /Root 1 0 R /Prev 9 >>"), NO_PAGES],
  ["a thousand updates", () => updateOften(1_000), pdf(1, CARD_PT)],
  ["60 updates", () => updateOften(60), pdf(1, CARD_PT)],
  ["60 updates of 100 KB to read", () => updateOften(60, `/A [${"1 ".repeat(50_000)}]`), pdf(1, CARD_PT)],
  ["a page tree in a circle", () => withTree(CIRCLE), NO_PAGES],
  ["the same before 15 MB", () => withTree(CIRCLE, `(${"x".repeat(LARGEST - 1_000)})`), NO_PAGES],
  ["a box that is itself", () => withTree(ONE_KID, "<< /MediaBox 4 0 R >>", "4 0 R"), LETTER],
  [
    "10^9 pages by its own account",
    () => withTree("<< /Type /Pages /Count 1000000000 /Kids [] >>"),
    NO_PAGES,
  ],
  ["minus one page", () => withTree("<< /Type /Pages /Count -1 /Kids [] >>"), NO_PAGES],
  ["a box without an inside", () => withTree(ONE_KID, "<< /MediaBox [0 0 0 0] >>"), LETTER],
  ["a catalogue that is a number", () => writePdf({ objects: ["42"] }), NO_PAGES],
  ["an object under another's number", changed("\n2 0 obj", "\n9 0 obj"), NO_PAGES],
  ["a dictionary 10,000 deep", () => withTree(NESTED), NO_PAGES],
];
