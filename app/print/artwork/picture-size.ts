import { type PictureSize, type Refusal, refuse, refuseUnprocessed } from "./file-rules";
import {
  CUT_OFF,
  DAMAGED_JPEG,
  DAMAGED_PNG,
  NO_IMAGE,
  NOT_MEASURABLE,
  RARE_JPEG,
  TWO_SIZES,
} from "./messages";

const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const EXIF = 0xe1;
const ORIENTATION_TAG = 0x0112;
const SHORT_TYPE = 3;

/**
 * Parses the size of a JPEG, with width and height swapped for EXIF orientations 5 to 8. Goes through all markers and
 * decodes nothing. Data after the end marker is ignored: phones put a second image there.
 */
export function parseJpeg(bytes: Uint8Array): PictureSize | Refusal {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: PictureSize | null = null;
  let orientation: number | null = null;
  let scans = 0;
  let at = 2;
  for (;;) {
    at = skipToMarker(bytes, at);
    const marker = bytes[at];
    if (marker === END_OF_IMAGE && size) {
      if (scans === 0) return refuseUnprocessed(NO_IMAGE);
      break;
    }
    if (at + 3 > bytes.length) return size ? refuseUnprocessed(CUT_OFF) : refuse(NOT_MEASURABLE);
    const segment = at + 1;
    const end = segment + view.getUint16(segment);
    if (marker === START_OF_IMAGE || marker === END_OF_IMAGE || end < segment + 2) {
      return size ? refuseUnprocessed(DAMAGED_JPEG) : refuse(NOT_MEASURABLE);
    }
    if (end > bytes.length) return size ? refuseUnprocessed(CUT_OFF) : refuse(NOT_MEASURABLE);
    if (isFrame(marker)) {
      if (size) return refuseUnprocessed(TWO_SIZES);
      if (end < segment + 8) return refuse(NOT_MEASURABLE);
      size = { widthPx: view.getUint16(segment + 5), heightPx: view.getUint16(segment + 3) };
      if (bytes[segment + 7] === 4) size.isCmyk = true;
      if (size.widthPx === 0 || size.heightPx === 0) return refuse(NOT_MEASURABLE);
      // Lossless, hierarchical or arithmetic coding: hardly any browser or printer can read them.
      if ((marker ?? 0) > 0xc2) return refuseUnprocessed(RARE_JPEG);
    } else if (marker === EXIF) orientation ??= parseOrientation(view, segment + 2, end);
    else if (marker === START_OF_SCAN) scans++;
    at = end;
  }
  const { widthPx, heightPx } = size;
  return (orientation ?? 1) >= 5 ? { ...size, widthPx: heightPx, heightPx: widthPx } : size;
}

/**
 * Finds the next marker's code, or the end of the file. Skips what has no length field: image data with its
 * stuffed FF 00, restart markers and fill bytes. Each byte is looked at once, so damaged files cost no more.
 */
function skipToMarker(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  for (let at = from; at + 1 < end; at++) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes[at + 1] as number;
    const bare = code === 0xff || code <= 0x01 || (code >= 0xd0 && code <= 0xd7);
    if (!bare) return at + 1;
  }
  return end;
}

/** True for C0 to CF, except the tables C4 and CC and the reserved C8. */
function isFrame(marker: number | undefined): boolean {
  if (marker === undefined || marker < 0xc0 || marker > 0xcf) return false;
  return marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Parses the orientation, 1 to 8, or null. Other programs use the same marker, and the segment may be damaged. */
function parseOrientation(view: DataView, from: number, end: number): number | null {
  const tiff = from + 6;
  if (end < tiff + 8 || view.getUint32(from) !== 0x45786966 || view.getUint16(from + 4) !== 0) return null;
  const order = view.getUint16(tiff);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const little = order === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  if (directory + 2 > end) return null;
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= end; entry += 12) {
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, little);
    return view.getUint16(entry + 2, little) === SHORT_TYPE && value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

const FIRST_CHUNK = 8;
const HEADER = 0x49484452;
const DATA = 0x49444154;
const END = 0x49454e44;
const LARGEST = 2 ** 31 - 1;

/** Parses the size of a PNG. Goes through all chunks and unpacks nothing. Data after the last chunk is ignored. */
export function parsePng(bytes: Uint8Array): PictureSize | Refusal {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = bytes.length >= FIRST_CHUNK + 25;
  if (!fits || view.getUint32(FIRST_CHUNK) !== 13 || view.getUint32(FIRST_CHUNK + 4) !== HEADER) {
    return refuse(NOT_MEASURABLE);
  }
  const size = { widthPx: view.getUint32(FIRST_CHUNK + 8), heightPx: view.getUint32(FIRST_CHUNK + 12) };
  if (!isMeasure(size.widthPx) || !isMeasure(size.heightPx)) return refuse(NOT_MEASURABLE);
  let hasData = false;
  for (let at = FIRST_CHUNK + 25; ; ) {
    if (at + 12 > bytes.length) return refuseUnprocessed(CUT_OFF);
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (length > LARGEST || !isChunkName(type)) {
      return refuseUnprocessed(DAMAGED_PNG);
    }
    if (type === HEADER) return refuseUnprocessed(TWO_SIZES);
    at += 12 + length;
    if (at > bytes.length) return refuseUnprocessed(CUT_OFF);
    if (type === DATA) hasData = true;
    if (type === END) return hasData ? size : refuseUnprocessed(NO_IMAGE);
  }
}

function isMeasure(value: number): boolean {
  return value >= 1 && value <= LARGEST;
}

function isChunkName(type: number): boolean {
  for (let shift = 0; shift < 32; shift += 8) {
    const upper = (type >>> shift) & 0xdf;
    if (upper < 0x41 || upper > 0x5a || ((type >>> shift) & 0xff) > 0x7a) return false;
  }
  return true;
}
