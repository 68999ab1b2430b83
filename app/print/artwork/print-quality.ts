import { findPostcard, type PieceSize, POINTS_PER_INCH, PRINT_DPI, type Side } from "../layout/geometry";
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

/** A trimmed 4x6 is 2 % longer in proportion than one with bleed, and still right. */
const PROPORTION_TOLERANCE = 0.025;
/** The most pages of a letter in the provider's newest reference. */
export const MOST_LETTER_PAGES = 10;

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
  const { width: long, height: short } = measureSide(size, "back");
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

/** Measures a side with its bleed, in inches. */
function measureSide(size: PieceSize, side: Side): { width: number; height: number } {
  const { width, height } = findPostcard(size, side).bleed;
  return { width: width / POINTS_PER_INCH, height: height / POINTS_PER_INCH };
}

/** Inches, rounded to hundredths. */
export function toInches(points: number): number {
  return toHundredths(points / POINTS_PER_INCH);
}

function toHundredths(inches: number): number {
  return Math.round(inches * 100) / 100;
}
