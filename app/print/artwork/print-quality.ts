import type { MAILING_SIZES } from "~/catalogue/options";
import type { CheckedFile } from "./file-check";
import { FRONT_BACK } from "./file-rules";

export type PieceSize = (typeof MAILING_SIZES)[number];

/**
 * What is printed beyond each edge and cut off. Approximate: no official figure is public; taken from clients of
 * the provider (4x6 as 1871 x 1271 px at 300 dpi, 6x9 as 2771 x 1871; provider-api.md §3.4), and 6x11 by the same rule.
 */
export const BLEED_MM = 3;
const MM_PER_INCH = 25.4;
/** At which artwork is asked for (provider-api.md §3.4). */
const PRINT_DPI = 300;
const POINTS_PER_INCH = 72;
/** A trimmed 4x6 is 2 % longer in proportion than one with its bleed, and still right. */
const PROPORTION_TOLERANCE = 0.025;
/** Of letters: what the provider's newest reference says (provider-api.md §3.2). */
const LETTER_PAGES = 10;

const TRIM_INCHES: Record<PieceSize, { long: number; short: number }> = {
  "4x6": { long: 6, short: 4 },
  "6x4": { long: 6, short: 4 },
  "6x9": { long: 9, short: 6 },
  "6x11": { long: 11, short: 6 },
};

export interface PrintQuality {
  /** Null for a PDF: its lines and letters have no pixels. */
  dpi: number | null;
  grade: "sharp" | "fair" | "soft" | "coarse" | "as made";
  /** `prints at 212 dpi: soft` */
  verdict: string;
}

/**
 * How sharp a file prints over a whole side, bleed included. A picture of other proportions is taken to fill the
 * side, long edge along long edge.
 */
export function computeDpi(file: CheckedFile, size: PieceSize): PrintQuality {
  if (file.kind === "pdf") {
    return { dpi: null, grade: "as made", verdict: "PDF: prints as sharp as it was made" };
  }
  const { long, short } = measureWithBleed(size);
  const [longPx, shortPx] = sortSides(file.widthPx, file.heightPx);
  const dpi = Math.round(Math.min(longPx / long, shortPx / short));
  const grade = gradeDpi(dpi);
  return { dpi, grade, verdict: `prints at ${dpi} dpi: ${grade}` };
}

/** That a file is cut or leaves white edges on a piece of this size, as one sentence; null when it fits or is unknown. */
export function findMisfit(file: CheckedFile, size: PieceSize): string | null {
  const sides = file.kind === "pdf" ? file.pageSizePt : { width: file.widthPx, height: file.heightPx };
  if (!sides) return null;
  const piece = measureWithBleed(size);
  const [long, short] = sortSides(sides.width, sides.height);
  const difference = long / short / (piece.long / piece.short);
  if (Math.max(difference, 1 / difference) - 1 <= PROPORTION_TOLERANCE) return null;
  const own =
    file.kind === "pdf"
      ? `The PDF's first page is ${toInches(sides.width)} x ${toInches(sides.height)} in`
      : `The picture is ${sides.width} x ${sides.height} px`;
  return `${own}, other proportions than a ${size} with its bleed (about ${toHundredths(piece.long)} x ${toHundredths(piece.short)} in): parts of it are cut off or edges stay white.`;
}

/** Why a size is better served by a PDF, as one sentence; null for sizes that a picture fills at full sharpness. */
export function recommendPdf(size: PieceSize): string | null {
  const { long, short } = measureWithBleed(size);
  const limitPx = FRONT_BACK.pixels?.widthPx ?? Number.POSITIVE_INFINITY;
  const longPx = Math.round(long * PRINT_DPI);
  if (longPx <= limitPx) return null;
  return `Use a PDF for ${size}: printed to its edges it needs about ${longPx} x ${Math.round(short * PRINT_DPI)} px at ${PRINT_DPI} dpi, and a JPG or PNG may be ${limitPx} px wide at most, which prints at ${Math.round(limitPx / long)} dpi. A PDF has no such limit.`;
}

/** That a PDF has more pages than its place takes, as one sentence; null when it does not or is no PDF. */
export function findPagesProblem(file: CheckedFile, place: "postcard side" | "letter"): string | null {
  const pages = file.kind === "pdf" ? (file.pages ?? 1) : 1;
  if (place === "postcard side") {
    return pages > 1
      ? `One side is one page, and this PDF has ${pages}: give front and back as two files of one page.`
      : null;
  }
  return pages > LETTER_PAGES
    ? `This PDF has ${pages} pages; the provider's reference allows ${LETTER_PAGES} at most.`
    : null;
}

function gradeDpi(dpi: number): "sharp" | "fair" | "soft" | "coarse" {
  if (dpi >= PRINT_DPI) return "sharp";
  if (dpi >= 225) return "fair";
  return dpi >= 150 ? "soft" : "coarse";
}

function measureWithBleed(size: PieceSize): { long: number; short: number } {
  const { long, short } = TRIM_INCHES[size];
  const bleed = (2 * BLEED_MM) / MM_PER_INCH;
  return { long: long + bleed, short: short + bleed };
}

function sortSides(one: number, other: number): [number, number] {
  return [Math.max(one, other), Math.min(one, other)];
}

/** In hundredths of an inch, as the sizes of files and pieces are told. */
export function toInches(points: number): number {
  return toHundredths(points / POINTS_PER_INCH);
}

function toHundredths(inches: number): number {
  return Math.round(inches * 100) / 100;
}
