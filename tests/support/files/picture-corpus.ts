import { FRONT_BACK, SIGNATURE } from "~/print/artwork/file-rules";
import { EMPTY_FILE, formatActualKind, RARE_JPEG } from "~/print/artwork/messages";
import { FAILED, FORMATS, jpeg, listRows, png, UNMEASURED } from "./corpus-row";
import { latin1, planPages, writePdf } from "./sample-pdfs";
import { chunk, makeExif, makeJpeg, makePng, segment } from "./sample-pictures";

const SIGNATURE_FORMATS = "Invalid format. Allowed: jpeg, png";

const wide = (px: number) => `Width must not exceed 3000px (got ${px}px)`;
const high = (px: number) => `Height must not exceed 3000px (got ${px}px)`;
const JPEG_MOST = 65_535;
const PNG_MOST = 2 ** 31 - 1;
const HOLLOW = { hollow: true };
const SIZES = listRows(FRONT_BACK, [
  ["a JPEG of the largest size", () => makeJpeg(3_000, 3_000), jpeg(3_000, 3_000)],
  ["a PNG of the largest size", () => makePng(3_000, 3_000), png(3_000, 3_000)],
  ["a JPEG of one pixel", () => makeJpeg(1, 1), jpeg(1, 1)],
  ["a JPEG one pixel too wide", () => makeJpeg(3_001, 10), [wide(3_001)]],
  ["a PNG one pixel too high", () => makePng(10, 3_001), [high(3_001)]],
  ["a JPEG of 65,535", () => makeJpeg(JPEG_MOST, JPEG_MOST, HOLLOW), [wide(JPEG_MOST), high(JPEG_MOST)]],
  ["a PNG of 2^31 - 1", () => makePng(PNG_MOST, PNG_MOST, HOLLOW), [wide(PNG_MOST), high(PNG_MOST)]],
  ["a PNG of 2^31", () => makePng(2 ** 31, 1, HOLLOW), UNMEASURED],
  ["a PNG of 2^32 - 1", () => makePng(1, 2 ** 32 - 1, HOLLOW), UNMEASURED],
  ["a PNG of 0 x 0", () => makePng(0, 0, HOLLOW), UNMEASURED],
  ["a JPEG of 0 x 0", () => makeJpeg(0, 0, HOLLOW), UNMEASURED],
  ["a JPEG without a height", () => makeJpeg(8, 0, HOLLOW), UNMEASURED],
]);

const width = (px: number) => `Width must be exactly 768px (got ${px}px)`;
const height = (px: number) => `Height must be exactly 118px (got ${px}px)`;
const SIGNATURES = listRows(SIGNATURE, [
  ["a JPEG signature", () => makeJpeg(768, 118), jpeg(768, 118)],
  ["a PNG signature", () => makePng(768, 118), png(768, 118)],
  ["a signature too narrow", () => makeJpeg(767, 118), [width(767)]],
  ["a signature too wide", () => makePng(769, 118), [width(769)]],
  ["a signature too low", () => makePng(768, 117), [height(117)]],
  ["a signature too high", () => makeJpeg(768, 119), [height(119)]],
  ["a signature on its side", () => makeJpeg(118, 768), [width(118), height(768)]],
  ["one that its EXIF turns", () => makeJpeg(118, 768, { first: [makeExif(6, true)] }), jpeg(768, 118)],
  ["a PDF signature", () => writePdf(planPages(1)), [SIGNATURE_FORMATS, formatActualKind("PDF")]],
  ["a GIF signature", () => latin1("GIF89a\x00\x03\x76\x00;"), [SIGNATURE_FORMATS, formatActualKind("GIF")]],
]);

/** Each orientation in both byte orders: 5 to 8 swap the axes. */
const TURNED = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((orientation) =>
  [true, false].flatMap((little) => {
    const name = `EXIF ${orientation}, ${little ? "little" : "big"} endian`;
    const first = [makeExif(orientation, little)];
    const [upright, tooLarge] = orientation >= 5 ? [jpeg(400, 600), high] : [jpeg(600, 400), wide];
    return listRows(FRONT_BACK, [
      [name, () => makeJpeg(600, 400, { first }), upright],
      [`${name}, too wide as stored`, () => makeJpeg(3_001, 20, { first }), [tooLarge(3_001)]],
    ]);
  }),
);

type Options = Parameters<typeof makeJpeg>[2];
const small = (options: Options) => () => makeJpeg(40, 30, options);
/** A JPEG of 40 x 30 with an EXIF orientation, 6 by default, that is wrong in some way. */
const odd = (options: Parameters<typeof makeExif>[2], orientation = 6) =>
  small({ first: [makeExif(orientation, true, options)] });
const AS_STORED = jpeg(40, 30);
const COMMENT = segment(0xfe, Buffer.from("made by a test"));
const XMP = segment(0xe1, Buffer.from("http://ns.adobe.com/xap/1.0/\0"));
const CUT_EXIF = segment(0xe1, Buffer.from("Exif\0\0MM\0"));
const TITLE = chunk("tEXt", Buffer.from("Title\0x"));
const RESTARTS = Buffer.from([0xff, 0xd0, 0, 0, 0xff, 0xd7, 0]);
const VARIANTS = listRows(FRONT_BACK, [
  ["a colour JPEG", small({ components: 3 }), AS_STORED],
  ["a CMYK JPEG", small({ components: 4 }), { ...AS_STORED, isCmyk: true }],
  ["a progressive JPEG", small({ components: 3, progressive: true }), AS_STORED],
  ["an XMP segment before EXIF", small({ first: [XMP, makeExif(8, false)] }), jpeg(30, 40)],
  ["an EXIF segment that is cut short", small({ first: [CUT_EXIF] }), AS_STORED],
  ["an EXIF orientation of 9", odd({}, 9), AS_STORED],
  ["a second EXIF segment", small({ first: [makeExif(1, true), makeExif(6, true)] }), AS_STORED],
  ["an EXIF orientation that is no short number", odd({ type: 4 }), AS_STORED],
  ["an EXIF directory beyond its segment", odd({ directory: 2 ** 32 - 1 }), AS_STORED],
  ["an EXIF directory of 65,535 entries", odd({ tag: 0x0113, entries: 65_535 }), AS_STORED],
  ["restart marks in the data", small({ last: RESTARTS }), AS_STORED],
  ["fill bytes before a marker", small({ first: [Buffer.alloc(3, 0xff), COMMENT] }), AS_STORED],
  ["a lossless JPEG", small({ frameMarker: 0xc3 }), [FAILED, RARE_JPEG]],
  ["a JPEG with arithmetic coding", small({ frameMarker: 0xc9 }), [FAILED, RARE_JPEG]],
  ["two JPEGs", () => Buffer.concat([makeJpeg(40, 30), makeJpeg(9_000, 10)]), AS_STORED],
  ["a PNG with other chunks first", () => makePng(40, 30, { middle: [TITLE] }), png(40, 30)],
]);

const is = (text: string, kind?: string): [() => Uint8Array, string[]] => [
  () => latin1(text),
  [FORMATS, ...(kind ? [formatActualKind(kind)] : [])],
];
const WRONG_KINDS = listRows(FRONT_BACK, [
  ["an SVG", ...is('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="10"/>', "SVG")],
  ["HTML named .pdf", ...is("\n<!doctype html><title>Not found</title>", "HTML or XML")],
  ["a WebP", ...is("RIFF\x24\0\0\0WEBPVP8 ", "WebP")],
  ["a HEIC named .jpg", ...is("\0\0\0\x18ftypheic\0\0\0\0", "HEIC")],
  ["a TIFF", ...is("II*\0\x08\0\0\0", "TIFF")],
  ["plain text", ...is("Dear Amelia")],
  ["nothing", () => new Uint8Array(), [FAILED, EMPTY_FILE]],
  ["a single byte", ...is("\xff")],
]);

export const PICTURE_FILES = [...SIZES, ...SIGNATURES, ...TURNED, ...VARIANTS, ...WRONG_KINDS];
