import {
  type PictureSize,
  type Refusal,
  refuseCutOff,
  refuseUnmeasured,
  refuseUnprocessed,
} from "./checked-file";
import { DAMAGED_PNG, NO_IMAGE, TWO_SIZES } from "./messages";

const FIRST_CHUNK = 8;
const HEADER = 0x49484452;
const DATA = 0x49444154;
const END = 0x49454e44;
const LARGEST = 2 ** 31 - 1;

/**
 * The size of a PNG. Goes through all chunks and unpacks nothing. Data after the last chunk is ignored.
 * @param bytes begin with the PNG signature
 */
export function parsePng(bytes: Uint8Array): PictureSize | Refusal {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = bytes.length >= FIRST_CHUNK + 25;
  if (!fits || view.getUint32(FIRST_CHUNK) !== 13 || view.getUint32(FIRST_CHUNK + 4) !== HEADER) {
    return refuseUnmeasured();
  }
  const size = { widthPx: view.getUint32(FIRST_CHUNK + 8), heightPx: view.getUint32(FIRST_CHUNK + 12) };
  if (!isMeasure(size.widthPx) || !isMeasure(size.heightPx)) return refuseUnmeasured();
  let hasData = false;
  for (let at = FIRST_CHUNK + 25; ; ) {
    if (at + 12 > bytes.length) return refuseCutOff();
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (length > LARGEST || !isChunkName(type)) {
      return refuseUnprocessed(DAMAGED_PNG);
    }
    if (type === HEADER) return refuseUnprocessed(TWO_SIZES);
    at += 12 + length;
    if (at > bytes.length) return refuseCutOff();
    if (type === DATA) hasData = true;
    if (type === END) return hasData ? size : refuseUnprocessed(NO_IMAGE);
  }
}

function isMeasure(value: number): boolean {
  return value >= 1 && value <= LARGEST;
}

/** Four ASCII letters. */
function isChunkName(type: number): boolean {
  for (let shift = 0; shift < 32; shift += 8) {
    const upper = (type >>> shift) & 0xdf;
    if (upper < 0x41 || upper > 0x5a || ((type >>> shift) & 0xff) > 0x7a) return false;
  }
  return true;
}
