import { findPostcard, type PieceSize, POINTS_PER_INCH, PRINT_DPI, type Side } from "../layout/geometry";
import { round } from "../letter/page";
import { type CheckedFile, FRONT_BACK } from "./file-rules";
import { formatPagesPerSide, formatPdfAdvice, formatTooManyPages, PDF_RESOLUTION } from "./messages";

/** A trimmed 4x6 is 2 % longer in proportion than one with bleed, and still right. */
const PROPORTION_TOLERANCE = 0.025;
/** The most pages of a letter in the provider's newest reference. */
export const MOST_LETTER_PAGES = 10;

/** The least dots per inch of each grade, the best first. */
const GRADES = [
  { grade: "sharp", dpi: PRINT_DPI, words: "prints sharp" },
  { grade: "good", dpi: 225, words: "prints well" },
  { grade: "soft", dpi: 150, words: "may look soft in print" },
  { grade: "blurry", dpi: 0, words: "will look blurry in print" },
] as const;

/** Grades how sharp a file prints when it fills a side with bleed: `94 dpi: will look blurry in print`. A PDF has no pixels. */
export function gradeResolution(file: CheckedFile, size: PieceSize, side: Side = "front") {
  if (file.kind === "pdf") return { dpi: null, grade: "pdf" as const, label: PDF_RESOLUTION };
  const { width, height } = measureSide(size, side);
  const dpi = Math.round(Math.min(file.widthPx / width, file.heightPx / height));
  const { grade, words } = GRADES.find((known) => dpi >= known.dpi) ?? GRADES[3];
  return { dpi, grade, label: `${dpi} dpi: ${words}` };
}

/** Why a file is cut or leaves white edges on a side; null when it fits or its size is unknown. */
export function findShapeProblem(file: CheckedFile, size: PieceSize, side: Side = "front"): string | null {
  const sides = file.kind === "pdf" ? file.pageSizePt : { width: file.widthPx, height: file.heightPx };
  if (!sides) return null;
  const piece = measureSide(size, side);
  const difference = sides.width / sides.height / (piece.width / piece.height);
  const longer = Math.max(difference, 1 / difference);
  if (longer - 1 <= PROPORTION_TOLERANCE) return null;
  const wanted = `${size} with bleed (about ${round(piece.width)} x ${round(piece.height)} in)`;
  return file.kind === "pdf"
    ? `The PDF is ${toInches(sides.width)} x ${toInches(sides.height)} in, another shape than ${wanted}. Parts are cut off or edges stay white.`
    : `The image is ${sides.width} x ${sides.height} px, another shape than ${wanted}. ${Math.round((1 - 1 / longer) * 100)} % of it is cut off.`;
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

function measureSide(size: PieceSize, side: Side): { width: number; height: number } {
  const { width, height } = findPostcard(size, side).bleed;
  return { width: width / POINTS_PER_INCH, height: height / POINTS_PER_INCH };
}

export function toInches(points: number): number {
  return round(points / POINTS_PER_INCH);
}
