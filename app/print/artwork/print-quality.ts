import type { MAILING_SIZES } from "~/catalogue/options";
import type { CheckedFile } from "./checked-file";
import { FRONT_BACK } from "./file-rules";
import {
  formatPagesPerSide,
  formatPdfAdvice,
  formatTooManyPages,
  formatWrongShape,
  type Grade,
  PDF_RESOLUTION,
} from "./messages";

type Side = "front" | "back";
export type PieceSize = (typeof MAILING_SIZES)[number];

/**
 * The bleed: how far artwork runs over each edge before it is cut. Approximate, because the provider publishes no
 * figure: client code sends 4x6 as 1871 x 1271 px and 6x9 as 2771 x 1871 px at 300 dpi. 6x11 follows the same rule.
 */
export const BLEED_MM = 3;
const MM_PER_INCH = 25.4;
export const POINTS_PER_INCH = 72;
/** Dots per inch that print needs. */
export const PRINT_DPI = 300;
/** A trimmed 4x6 is 2 % longer in proportion than one with bleed, and still right. */
const PROPORTION_TOLERANCE = 0.025;
/** The most pages of a letter in the provider's newest reference. */
export const MOST_LETTER_PAGES = 10;

const TRIM_INCHES: Record<PieceSize, { long: number; short: number }> = {
  "4x6": { long: 6, short: 4 },
  "6x4": { long: 6, short: 4 },
  "6x9": { long: 9, short: 6 },
  "6x11": { long: 11, short: 6 },
};

const GRADES: Record<Grade, string> = {
  sharp: "prints sharp",
  good: "prints well",
  soft: "may look soft in print",
  blurry: "will look blurry in print",
};

export interface PrintQuality {
  /** Null for a PDF, which has no pixels. */
  dpi: number | null;
  grade: Grade | "pdf";
  /** `94 dpi: will look blurry in print` */
  label: string;
}

/** Grades the sharpness of a file on a side with bleed. A picture fills the side; the overhang is cut off. */
export function gradeResolution(file: CheckedFile, size: PieceSize, side: Side = "front"): PrintQuality {
  if (file.kind === "pdf") return { dpi: null, grade: "pdf", label: PDF_RESOLUTION };
  const { width, height } = measureSide(size, side);
  const dpi = Math.round(Math.min(file.widthPx / width, file.heightPx / height));
  const grade = gradeDpi(dpi);
  return { dpi, grade, label: `${dpi} dpi: ${GRADES[grade]}` };
}

/** Why a file is cut or leaves white edges on a side; null when it fits or its size is unknown. */
export function findShapeProblem(file: CheckedFile, size: PieceSize, side: Side = "front"): string | null {
  const sides = file.kind === "pdf" ? file.pageSizePt : { width: file.widthPx, height: file.heightPx };
  if (!sides) return null;
  const piece = measureSide(size, side);
  const difference = sides.width / sides.height / (piece.width / piece.height);
  const longer = Math.max(difference, 1 / difference);
  if (longer - 1 <= PROPORTION_TOLERANCE) return null;
  return formatWrongShape(
    file.kind === "pdf"
      ? { what: "PDF", width: toInches(sides.width), height: toInches(sides.height), unit: "in" }
      : { what: "image", ...sides, unit: "px" },
    { size, width: toHundredths(piece.width), height: toHundredths(piece.height) },
    file.kind === "pdf" ? null : Math.round((1 - 1 / longer) * 100),
  );
}

/** Why a PDF is better for a size; null for sizes that an image can fill at full sharpness. */
export function findPdfAdvice(size: PieceSize): string | null {
  const { long, short } = measureWithBleed(size);
  const limitPx = FRONT_BACK.pixels?.widthPx ?? Number.POSITIVE_INFINITY;
  const longPx = Math.round(long * PRINT_DPI);
  if (longPx <= limitPx) return null;
  const needed = { longPx, shortPx: Math.round(short * PRINT_DPI) };
  return formatPdfAdvice(size, needed, { px: limitPx, dpi: Math.round(limitPx / long) });
}

/** Why a PDF has too many pages for its place, or null. */
export function findPagesProblem(file: CheckedFile, place: "postcard side" | "letter"): string | null {
  const pages = file.kind === "pdf" ? (file.pages ?? 1) : 1;
  if (place === "postcard side") return pages > 1 ? formatPagesPerSide(pages) : null;
  return pages > MOST_LETTER_PAGES ? formatTooManyPages(pages, MOST_LETTER_PAGES) : null;
}

function gradeDpi(dpi: number): Grade {
  if (dpi >= PRINT_DPI) return "sharp";
  if (dpi >= 225) return "good";
  return dpi >= 150 ? "soft" : "blurry";
}

function measureWithBleed(size: PieceSize): { long: number; short: number } {
  const { long, short } = TRIM_INCHES[size];
  const bleed = (2 * BLEED_MM) / MM_PER_INCH;
  return { long: long + bleed, short: short + bleed };
}

/** Pieces are landscape, except the front of a 6x4. */
function measureSide(size: PieceSize, side: Side): { width: number; height: number } {
  const { long, short } = measureWithBleed(size);
  return size === "6x4" && side === "front" ? { width: short, height: long } : { width: long, height: short };
}

/** Inches, rounded to hundredths. */
export function toInches(points: number): number {
  return toHundredths(points / POINTS_PER_INCH);
}

function toHundredths(inches: number): number {
  return Math.round(inches * 100) / 100;
}
