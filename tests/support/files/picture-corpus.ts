import { FRONT_BACK, SIGNATURE } from "~/print/artwork/file-rules";
import { EMPTY_FILE, formatActualKind, RARE_JPEG } from "~/print/artwork/messages";
import { FAILED, FORMATS, jpeg, listRows, png, UNMEASURED } from "./corpus-row";
import { latin1, planPages, writePdf } from "./sample-pdfs";
import { chunk, makeExif, makeJpeg, makePng, segment } from "./sample-pictures";

const SIGNATURE_FORMATS = "Invalid format. Allowed: jpeg, png";

const SIZES = listRows(FRONT_BACK, [
  ["a JPEG of the largest size", () => makeJpeg(3_000, 3_000), jpeg(3_000, 3_000)],
  ["a PNG of the largest size", () => makePng(3_000, 3_000), png(3_000, 3_000)],
  ["a JPEG of one pixel", () => makeJpeg(1, 1), jpeg(1, 1)],
  ["a JPEG one pixel too wide", () => makeJpeg(3_001, 10), ["Width must not exceed 3000px (got 3001px)"]],
  ["a PNG one pixel too high", () => makePng(10, 3_001), ["Height must not exceed 3000px (got 3001px)"]],
  [
    "a JPEG of the largest size that JPEG has",
    () => makeJpeg(65_535, 65_535, { hollow: true }),
    ["Width must not exceed 3000px (got 65535px)", "Height must not exceed 3000px (got 65535px)"],
  ],
  [
    "a PNG of 2^31 - 1",
    () => makePng(2 ** 31 - 1, 2 ** 31 - 1, { hollow: true }),
    ["Width must not exceed 3000px (got 2147483647px)", "Height must not exceed 3000px (got 2147483647px)"],
  ],
  ["a PNG of 2^31", () => makePng(2 ** 31, 1, { hollow: true }), UNMEASURED],
  ["a PNG of 2^32 - 1", () => makePng(1, 2 ** 32 - 1, { hollow: true }), UNMEASURED],
  ["a PNG of 0 x 0", () => makePng(0, 0, { hollow: true }), UNMEASURED],
  ["a JPEG of 0 x 0", () => makeJpeg(0, 0, { hollow: true }), UNMEASURED],
  ["a JPEG without a height", () => makeJpeg(8, 0, { hollow: true }), UNMEASURED],
]);

const SIGNATURES = listRows(SIGNATURE, [
  ["a JPEG signature", () => makeJpeg(768, 118), jpeg(768, 118)],
  ["a PNG signature", () => makePng(768, 118), png(768, 118)],
  ["a signature too narrow", () => makeJpeg(767, 118), ["Width must be exactly 768px (got 767px)"]],
  ["a signature too wide", () => makePng(769, 118), ["Width must be exactly 768px (got 769px)"]],
  ["a signature too low", () => makePng(768, 117), ["Height must be exactly 118px (got 117px)"]],
  ["a signature too high", () => makeJpeg(768, 119), ["Height must be exactly 118px (got 119px)"]],
  [
    "a signature on its side",
    () => makeJpeg(118, 768),
    ["Width must be exactly 768px (got 118px)", "Height must be exactly 118px (got 768px)"],
  ],
  [
    "a signature that its EXIF turns upright",
    () => makeJpeg(118, 768, { first: [makeExif(6, true)] }),
    jpeg(768, 118),
  ],
  ["a PDF signature", () => writePdf(planPages(1)), [SIGNATURE_FORMATS, formatActualKind("PDF")]],
  ["a GIF signature", () => latin1("GIF89a\x00\x03\x76\x00;"), [SIGNATURE_FORMATS, formatActualKind("GIF")]],
]);

/** Each orientation in both byte orders: 5 to 8 swap the axes. */
const TURNED = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((orientation) =>
  [true, false].flatMap((little) => {
    const order = little ? "little" : "big";
    const first = [makeExif(orientation, little)];
    const swapped = orientation >= 5;
    return listRows(FRONT_BACK, [
      [
        `EXIF ${orientation}, ${order} endian`,
        () => makeJpeg(600, 400, { first }),
        swapped ? jpeg(400, 600) : jpeg(600, 400),
      ],
      [
        `EXIF ${orientation}, ${order} endian, too wide as stored`,
        () => makeJpeg(3_001, 20, { first }),
        [`${swapped ? "Height" : "Width"} must not exceed 3000px (got 3001px)`],
      ],
    ]);
  }),
);

const COMMENT = segment(0xfe, Buffer.from("made by a test"));
const VARIANTS = listRows(FRONT_BACK, [
  ["a colour JPEG", () => makeJpeg(40, 30, { components: 3 }), jpeg(40, 30)],
  ["a CMYK JPEG", () => makeJpeg(40, 30, { components: 4 }), { ...jpeg(40, 30), isCmyk: true }],
  ["a progressive JPEG", () => makeJpeg(40, 30, { components: 3, progressive: true }), jpeg(40, 30)],
  [
    "an XMP segment before EXIF",
    () =>
      makeJpeg(40, 30, {
        first: [segment(0xe1, Buffer.from("http://ns.adobe.com/xap/1.0/\0")), makeExif(8, false)],
      }),
    jpeg(30, 40),
  ],
  [
    "an EXIF segment that is cut short",
    () => makeJpeg(40, 30, { first: [segment(0xe1, Buffer.from("Exif\0\0MM\0"))] }),
    jpeg(40, 30),
  ],
  ["an EXIF orientation of 9", () => makeJpeg(40, 30, { first: [makeExif(9, true)] }), jpeg(40, 30)],
  [
    "a second EXIF segment",
    () => makeJpeg(40, 30, { first: [makeExif(1, true), makeExif(6, true)] }),
    jpeg(40, 30),
  ],
  [
    "an EXIF orientation that is no short number",
    () => makeJpeg(40, 30, { first: [makeExif(6, true, { type: 4 })] }),
    jpeg(40, 30),
  ],
  [
    "an EXIF directory beyond its segment",
    () => makeJpeg(40, 30, { first: [makeExif(6, true, { directory: 2 ** 32 - 1 })] }),
    jpeg(40, 30),
  ],
  [
    "an EXIF directory of 65,535 entries",
    () => makeJpeg(40, 30, { first: [makeExif(6, false, { tag: 0x0113, entries: 65_535 })] }),
    jpeg(40, 30),
  ],
  [
    "restart marks in the data",
    () => makeJpeg(40, 30, { last: Buffer.from([0xff, 0xd0, 0, 0, 0xff, 0xd7, 0]) }),
    jpeg(40, 30),
  ],
  [
    "fill bytes before a marker",
    () => makeJpeg(40, 30, { first: [Buffer.from([0xff, 0xff, 0xff]), COMMENT] }),
    jpeg(40, 30),
  ],
  ["a lossless JPEG", () => makeJpeg(40, 30, { frameMarker: 0xc3 }), [FAILED, RARE_JPEG]],
  ["a JPEG with arithmetic coding", () => makeJpeg(40, 30, { frameMarker: 0xc9 }), [FAILED, RARE_JPEG]],
  [
    "two JPEGs, one behind the other",
    () => Buffer.concat([makeJpeg(40, 30), makeJpeg(9_000, 10)]),
    jpeg(40, 30),
  ],
  [
    "a PNG with other chunks first",
    () => makePng(40, 30, { middle: [chunk("tEXt", Buffer.from("Title\0x"))] }),
    png(40, 30),
  ],
]);

const WRONG_KINDS = listRows(FRONT_BACK, [
  [
    "an SVG",
    () => latin1('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="10"/>'),
    [FORMATS, formatActualKind("SVG")],
  ],
  [
    "HTML named .pdf",
    () => latin1("\n<!doctype html><title>Not found</title>"),
    [FORMATS, formatActualKind("HTML or XML")],
  ],
  ["a WebP", () => latin1("RIFF\x24\0\0\0WEBPVP8 "), [FORMATS, formatActualKind("WebP")]],
  ["a HEIC named .jpg", () => latin1("\0\0\0\x18ftypheic\0\0\0\0"), [FORMATS, formatActualKind("HEIC")]],
  ["a TIFF", () => latin1("II*\0\x08\0\0\0"), [FORMATS, formatActualKind("TIFF")]],
  ["plain text", () => latin1("Dear Amelia"), [FORMATS]],
  ["nothing", () => new Uint8Array(), [FAILED, EMPTY_FILE]],
  ["a single byte", () => latin1("\xff"), [FORMATS]],
]);

export const PICTURE_FILES = [...SIZES, ...SIGNATURES, ...TURNED, ...VARIANTS, ...WRONG_KINDS];
