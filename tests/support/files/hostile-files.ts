import { DAMAGED_JPEG, DAMAGED_PNG, NO_IMAGE, UNREADABLE_PDF } from "~/print/artwork/messages";
import { CARD_PT, FAILED, INCOMPLETE, pdf, type Row } from "./corpus-row";
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

function fillText(start: string, unit: string, end: string) {
  return flood(latin1(start), latin1(unit), latin1(end));
}

const FRAME = makeJpeg(8, 8).subarray(0, -2);
const TRAILER = "trailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n";

export const HOSTILE_FILES: Row[] = [
  ["15 MB of fill bytes", () => flood(FRAME, [0xff]), INCOMPLETE],
  ["15 MB of stuffed bytes", () => flood(FRAME, [0xff, 0x00]), INCOMPLETE],
  ["15 MB of restart marks", () => flood(FRAME, [0xff, 0xd0]), INCOMPLETE],
  ["15 MB of empty segments", () => flood(FRAME, [0xff, 0xfe, 0, 2]), INCOMPLETE],
  [
    "15 MB of empty EXIF segments",
    () => flood(makeJpeg(8, 8).subarray(0, 2), segment(0xe1, Buffer.from("Exif\0\0MM\0*\0\0\0\x08\0\0"))),
    ["Could not read image dimensions"],
  ],
  ["a segment of length 0", () => flood(FRAME, [0xff, 0xfe, 0, 0]), [FAILED, DAMAGED_JPEG]],
  [
    "15 MB of empty chunks",
    () => flood(makePng(8, 8).subarray(0, 33), [0, 0, 0, 0, 0x70, 0x61, 0x44, 0x64, 0, 0, 0, 0]),
    INCOMPLETE,
  ],
  [
    "a chunk of 2^32 - 1 by a right name",
    () => flood(makePng(8, 8).subarray(0, 33), [0xff, 0xff, 0xff, 0xff, 0x49, 0x44, 0x41, 0x54]),
    [FAILED, DAMAGED_PNG],
  ],
  ["a chunk without a name", () => flood(makePng(8, 8).subarray(0, 33), [0]), [FAILED, DAMAGED_PNG]],
  [
    "a chunk of 2^32 - 1",
    () => flood(makePng(8, 8).subarray(0, 33), [0xff, 0xff, 0xff, 0xff]),
    [FAILED, DAMAGED_PNG],
  ],
  [
    "a chunk that reaches far beyond the end",
    () => flood(makePng(8, 8).subarray(0, 33), [0x7f, 0xff, 0xff, 0xff, 0x49, 0x44, 0x41, 0x54]),
    INCOMPLETE,
  ],
  [
    "a JPEG without picture data",
    () => {
      const whole = makeJpeg(8, 8);
      const scan = Buffer.from(whole).indexOf(Buffer.from([0xff, 0xda]));
      return Buffer.concat([whole.subarray(0, scan), whole.subarray(-2)]);
    },
    [FAILED, NO_IMAGE],
  ],
  [
    "a PNG without picture data",
    () => Buffer.concat([makePng(8, 8).subarray(0, 33), makePng(8, 8).subarray(-12)]),
    [FAILED, NO_IMAGE],
  ],
  [
    "15 MB of opening brackets",
    () => fillText("%PDF-1.4\n9 0 obj ", "[", "\nstartxref\n9\n%%EOF\n"),
    NO_TABLE,
  ],
  [
    "15 MB of opening strings",
    () => fillText("%PDF-1.4\n9 0 obj ", "(", "\nstartxref\n9\n%%EOF\n"),
    NO_TABLE,
  ],
  ["15 MB of white space", () => fillText("%PDF-1.4\n", " ", "\nstartxref\n9\n%%EOF\n"), NO_TABLE],
  ["15 MB of comments", () => fillText("%PDF-1.4\n9 0 obj ", "%\n", "\nstartxref\n9\n%%EOF\n"), NO_TABLE],
  ["15 MB of digits", () => fillText("%PDF-1.4\n9 0 obj [", "7", "\nstartxref\n9\n%%EOF\n"), NO_TABLE],
  ["15 MB of numbers", () => fillText("%PDF-1.4\n9 0 obj [", "1 1 ", "\nstartxref\n9\n%%EOF\n"), NO_TABLE],
  ["15 MB of empty subsections", () => fillText("%PDF-1.4\nxref\n", "1 0\n", TRAILER), { kind: "pdf" }],
  ["a subsection of 10^10 entries", () => pointAt(9, "xref\n0 9999999999\ntrailer << /Size 1 >>"), NO_TABLE],
  ["a pointer to 10^10", () => pointAt(9_999_999_999, "1 0 obj << >> endobj"), NO_TABLE],
  ["a pointer to itself", () => pointAt(9, "xref\n0 0\ntrailer << /Root 1 0 R /Prev 9 >>"), { kind: "pdf" }],
  ["a thousand updates", () => updateOften(1_000), pdf(1, CARD_PT)],
  ["60 updates", () => updateOften(60), pdf(1, CARD_PT)],
  ["60 updates of 100 KB to read", () => updateOften(60, `/A [${"1 ".repeat(50_000)}]`), pdf(1, CARD_PT)],
  ["a page tree in a circle", () => withTree("<< /Type /Pages /Count 1 /Kids [2 0 R] >>"), { kind: "pdf" }],
  [
    "a page tree in a circle, before 15 MB",
    () => withTree("<< /Type /Pages /Count 1 /Kids [2 0 R] >>", `(${"x".repeat(LARGEST - 1_000)})`),
    { kind: "pdf" },
  ],
  [
    "a box that is itself",
    () => withTree("<< /Type /Pages /Count 1 /Kids [3 0 R] >>", "<< /MediaBox 4 0 R >>", "4 0 R"),
    pdf(1, { width: 612, height: 792 }),
  ],
  [
    "10^9 pages by its own account",
    () => withTree("<< /Type /Pages /Count 1000000000 /Kids [] >>"),
    { kind: "pdf" },
  ],
  ["minus one page", () => withTree("<< /Type /Pages /Count -1 /Kids [] >>"), { kind: "pdf" }],
  [
    "a box without an inside",
    () => withTree("<< /Type /Pages /Count 1 /Kids [3 0 R] >>", "<< /MediaBox [0 0 0 0] >>"),
    pdf(1, { width: 612, height: 792 }),
  ],
  ["a catalogue that is a number", () => writePdf({ objects: ["42"] }), { kind: "pdf" }],
  [
    "an object under another's number",
    () =>
      latin1(
        Buffer.from(writePdf(planPages(1)))
          .toString("latin1")
          .replace("\n2 0 obj", "\n9 0 obj"),
      ),
    { kind: "pdf" },
  ],
  [
    "a dictionary 10,000 deep",
    () => withTree(`<< /Count 1 /Kids ${"<< /A ".repeat(10_000)}1${" >>".repeat(10_000)} >>`),
    { kind: "pdf" },
  ],
];
