/**
 * Sizes and areas of a piece of mail. All lengths are points (1/72 inch). 0,0 is the top left corner of the trimmed
 * piece, so the bleed has negative coordinates. "Approximate" marks sizes that the provider does not publish.
 */

import type { MAILING_SIZES } from "~/catalogue/options";
import {
  ADDRESS_WINDOWS,
  findPageSize,
  findTextTop,
  MARGIN,
  PAGE_SIZES,
  POINTS_PER_MM,
} from "../letter/page";

export type Box = { x: number; y: number; width: number; height: number };

export type Side = "front" | "back";
export type PieceSize = (typeof MAILING_SIZES)[number];

export interface PieceGeometry {
  /** Form value: `6x9`, `A4`. */
  size: string;
  /** Displayed size: `6 x 9 in`. */
  label: string;
  trim: Box;
  bleed: Box;
  safe: Box;
}

export const POINTS_PER_INCH = 72;
/** Dots per inch that print needs. */
export const PRINT_DPI = 300;
/**
 * The bleed: how far artwork runs over each edge before it is cut. Approximate, because the provider publishes no
 * figure: client code sends 4x6 as 1871 x 1271 px and 6x9 as 2771 x 1871 px at 300 dpi. 6x11 follows the same rule.
 */
export const BLEED_MM = 3;
/** Client code of the provider keeps 72 px of the bleed-sized artwork free at 300 dpi: 0.24 in. */
const SAFE_FROM_BLEED_IN = 0.24;
/** Printers cannot print to a letter's edge. Approximate. */
const LETTER_SAFE_MM = 5;

/** The postage mark with space around it, as US printers ask for. Approximate. */
const POSTAGE_IN = { width: 1.1, height: 0.75 };
/** The USPS barcode area in the lower right corner: 4 3/4 x 5/8 in (USPS DMM 202.5.1). */
const BARCODE_IN = { width: 4.75, height: 0.625 };
/**
 * The address area above the barcode. Approximate: the provider only calls it "quite large" on 4x6
 * (knowledge.stannp.com, What are clear zones). These sizes are usual in the US.
 */
const ADDRESS_IN = { small: { width: 3.5, height: 1.75 }, large: { width: 4.25, height: 1.75 } };
const SMALL_PIECE_IN = 6;
/** Between neighbouring areas on the back. Approximate: our choice. */
const GAP_IN = 0.125;
/** Between the edge of the safe area and the message. Approximate: our choice. */
const MESSAGE_INSET_IN = 0.08;

/** Pixels of a signature as the provider documents them, at 300 dpi. */
const SIGNATURE_PX = { width: 768, height: 118 };

/** The provider documents neither the unit of `padding` nor its default. Approximate: drawn in millimetres. */
const DEFAULT_PADDING_MM = 5;

/** The QR code at the bottom left of each sheet (knowledge.stannp.com). Approximate. */
const LETTER_CODE_MM = 15;

/** Sizes are named short side first and printed landscape; 6x4 is a 4x6 in portrait. */
const POSTCARDS_IN: Readonly<Record<PieceSize, { width: number; height: number; label: string }>> = {
  "4x6": { width: 6, height: 4, label: "4 x 6 in" },
  "6x9": { width: 9, height: 6, label: "6 x 9 in" },
  "6x11": { width: 11, height: 6, label: "6 x 11 in" },
  "6x4": { width: 4, height: 6, label: "6 x 4 in" },
};
const PAPER_LABELS = { A4: "A4", "US-LETTER": "US Letter" };

const inches = (length: number) => length * POINTS_PER_INCH;
const millimetres = (length: number) => length * POINTS_PER_MM;
const toPoints = ({ width, height }: { width: number; height: number }) => ({
  width: inches(width),
  height: inches(height),
});

/** `box`, smaller by `by` on each side; a negative `by` makes it larger. */
export function inset(box: Box, by: number): Box {
  return { x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by };
}

/** Finds a side of a postcard. The back of a portrait piece is landscape too: the post reads addresses along the long edge. */
export function findPostcard(size: PieceSize, side: Side): PieceGeometry;
export function findPostcard(size: string, side: Side): PieceGeometry | null;
export function findPostcard(size: string, side: Side): PieceGeometry | null {
  if (!Object.hasOwn(POSTCARDS_IN, size)) return null;
  const found = POSTCARDS_IN[size as PieceSize];
  const turned = side === "back" && found.height > found.width;
  const trim = {
    x: 0,
    y: 0,
    width: inches(turned ? found.height : found.width),
    height: inches(turned ? found.width : found.height),
  };
  const bleed = inset(trim, -millimetres(BLEED_MM));
  return { size, label: found.label, trim, bleed, safe: inset(bleed, inches(SAFE_FROM_BLEED_IN)) };
}

/** Finds a page of a letter; letters have no bleed. */
export function findLetterPage(home: "US" | "GB"): PieceGeometry & { window: Box; code: Box } {
  const size = findPageSize(home);
  const trim = { x: 0, y: 0, ...PAGE_SIZES[size] };
  const code = millimetres(LETTER_CODE_MM);
  return {
    size,
    label: PAPER_LABELS[size],
    trim,
    bleed: trim,
    safe: inset(trim, millimetres(LETTER_SAFE_MM)),
    window: ADDRESS_WINDOWS[size],
    code: { x: 0, y: trim.height - code, width: code, height: code },
  };
}

/** Places the area of a letter's text on page `number` (from 1). */
export function placeLetterText(home: "US" | "GB", number: number): Box {
  const { trim } = findLetterPage(home);
  const top = findTextTop(findPageSize(home), number);
  return { x: MARGIN, y: top, width: trim.width - 2 * MARGIN, height: trim.height - top - MARGIN };
}

/** Places the areas on the back. Address and barcode are kept clear up to the right edge. Message and signature are approximate. */
export function placeBack({ trim, safe }: PieceGeometry, signed: boolean) {
  const gap = inches(GAP_IN);
  const placeAtRight = (inInches: typeof POSTAGE_IN, bottom: number): Box => {
    const size = toPoints(inInches);
    return { x: trim.width - size.width, y: bottom - size.height, ...size };
  };
  const barcode = placeAtRight(BARCODE_IN, trim.height);
  const isSmall = trim.width <= inches(SMALL_PIECE_IN);
  const address = placeAtRight(isSmall ? ADDRESS_IN.small : ADDRESS_IN.large, barcode.y);
  const left = safe.x + inches(MESSAGE_INSET_IN);
  const top = safe.y + inches(MESSAGE_INSET_IN);
  const width = address.x - gap - left;
  const bottom = barcode.y - gap;
  const signature = placeSignature(left, width, bottom);
  const message = { x: left, y: top, width, height: (signed ? signature.y - gap : bottom) - top };
  const mark = toPoints(POSTAGE_IN);
  const postage = { x: safe.x + safe.width - mark.width, y: safe.y, ...mark };
  return { address, barcode, postage, message, signature };
}

/** Keeps the signature's proportions and is never wider than `room`. */
function placeSignature(x: number, room: number, bottom: number): Box {
  const width = Math.min(room, inches(SIGNATURE_PX.width / PRINT_DPI));
  const height = (width * SIGNATURE_PX.height) / SIGNATURE_PX.width;
  return { x, y: bottom - height, width, height };
}

/** The width of the white border for a `padding` form value, in millimetres. */
export function parsePaddingMm(padding: string): number {
  const value = Number(padding.trim());
  return padding.trim() !== "" && value >= 0 && Number.isFinite(value) ? value : DEFAULT_PADDING_MM;
}

/** Places the area of the front's artwork: up to the edge of the bleed, or inside a white border. */
export function placeArtwork(piece: PieceGeometry, paddingMm: number): Box {
  const most = Math.min(piece.trim.width, piece.trim.height) / 2;
  return paddingMm === 0 ? piece.bleed : inset(piece.trim, Math.min(millimetres(paddingMm), most));
}
