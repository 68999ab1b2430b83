import { deflateSync } from "node:zlib";
import { FILES_LIMIT_BYTES, FRONT_BACK } from "~/print/artwork/file-rules";
import { formatActualKind, formatTooLarge, IMAGE_AND_PDF, TWO_SIZES } from "~/print/artwork/messages";
import {
  CARD_PT,
  type CorpusFile,
  type ExpectedFile,
  FAILED,
  FORMATS,
  INCOMPLETE,
  jpeg,
  listRows,
  pdf,
  png,
  type Row,
  UNMEASURED,
} from "./corpus-row";
import { HOSTILE_FILES } from "./hostile-files";
import { PDF_FILES } from "./pdf-corpus";
import { PICTURE_FILES } from "./picture-corpus";
import { latin1, planPages, writeCompressedPdf, writePdf } from "./sample-pdfs";
import { chunk, makeJpeg, makeJpegPadding, makePng, makePngPadding, segment } from "./sample-pictures";

type Make = () => Uint8Array;

/** Complete files, and the expected messages when they are truncated. */
export const WHOLE_FILES: [name: string, make: Make, expected: string[]][] = [
  ["a JPEG", () => makeJpeg(2_000, 1_000), INCOMPLETE],
  // Truncation at each tenth falls into its comment.
  ["a JPEG with its size late", () => makeJpeg(40, 30, { first: makeJpegPadding(60_000) }), UNMEASURED],
  ["a PNG", () => makePng(40, 30, { middle: [makePngPadding(9_000)] }), INCOMPLETE],
  ["a PDF", () => writePdf(planPages(50)), INCOMPLETE],
  ["a compressed PDF", () => writeCompressedPdf(planPages(50)), INCOMPLETE],
];
const TRUNCATED = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((tenths) =>
  WHOLE_FILES.map(
    ([name, make, expected]): Row => [`${name} cut after ${tenths}/10`, () => cut(make, tenths), expected],
  ),
);

function cut(make: Make, tenths: number): Uint8Array {
  const bytes = make();
  return bytes.subarray(0, Math.floor((bytes.length * tenths) / 10));
}

function makeLargePdf(bytes: number): Uint8Array {
  const fill = (length: number) =>
    writePdf({
      objects: [...planPages(1).objects, `<< /Length ${length} >>\nstream\n${"x".repeat(length)}\nendstream`],
    });
  return fill(2 * bytes - fill(bytes).length);
}

const JPEG_BYTES = makeJpeg(600, 400).length;
const PNG_BYTES = makePng(600, 400).length;
/** Files of an exact size in bytes. */
export const LARGE_FILES: [kind: string, make: (bytes: number) => Uint8Array, facts: ExpectedFile][] = [
  ["JPEG", (bytes) => makeJpeg(600, 400, { first: makeJpegPadding(bytes - JPEG_BYTES) }), jpeg(600, 400)],
  ["PNG", (bytes) => makePng(600, 400, { middle: [makePngPadding(bytes - PNG_BYTES)] }), png(600, 400)],
  ["PDF", makeLargePdf, pdf(1, CARD_PT)],
];
const LARGE = LARGE_FILES.flatMap(([kind, make, facts]): Row[] => [
  [`a ${kind} of 25 MB`, () => make(25_000_000), [formatTooLarge(25_000_000, FILES_LIMIT_BYTES, 1)]],
  [`a ${kind} of 15 MB`, () => make(15_000_000), facts],
  [`a ${kind} a byte over 15 MB`, () => make(15_000_001), [formatTooLarge(15_000_001, FILES_LIMIT_BYTES, 1)]],
]);

const SMALL_PDF = writePdf(planPages(1));
const BOTH = [FORMATS, IMAGE_AND_PDF];
const TWICE = [FAILED, TWO_SIZES];
const SCRIPT = "<script>alert(1)</script>";
const comment = (content: Uint8Array) => ({ first: [segment(0xfe, content)] });
const FRAME = segment(0xc0, [8, 0x27, 0x10, 0x27, 0x10, 1, 1, 0x11, 0]);
const HEADER = makePng(9_000, 9_000, { hollow: true }).subarray(8, 33);
const POLYGLOTS: Row[] = [
  ["a JPEG that is a PDF too", () => Buffer.concat([makeJpeg(8, 8, comment(SMALL_PDF)), SMALL_PDF]), BOTH],
  ["a PNG that is a PDF too", () => makePng(8, 8, { middle: [chunk("tEXt", SMALL_PDF)] }), BOTH],
  ["a JPEG with a script in its comment", () => makeJpeg(8, 8, comment(Buffer.from(SCRIPT))), jpeg(8, 8)],
  [
    "a PNG and an archive",
    () => Buffer.concat([makePng(8, 8), latin1("PK\x03\x04"), deflateSync("x")]),
    png(8, 8),
  ],
  ["HTML that begins as a PDF", () => latin1(`%PDF-1.4\n${SCRIPT}`), INCOMPLETE],
  ["a PDF behind a blank line", () => Buffer.concat([latin1("\n"), SMALL_PDF]), [FORMATS]],
  ["a GIF that is a script", () => latin1("GIF89a=1;alert(1)"), [FORMATS, formatActualKind("GIF")]],
  ["a PNG with two headers", () => makePng(8, 8, { middle: [HEADER] }), TWICE],
  ["a JPEG with two frames", () => makeJpeg(8, 8, { first: [FRAME] }), TWICE],
];

/** Every file that the checks in the browser and on the server must agree about; each is created when it is used. */
export const FILE_CORPUS: readonly CorpusFile[] = [
  ...PICTURE_FILES,
  ...PDF_FILES,
  ...listRows(FRONT_BACK, [...TRUNCATED, ...LARGE, ...POLYGLOTS, ...HOSTILE_FILES]),
];
