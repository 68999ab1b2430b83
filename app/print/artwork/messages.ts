import { formatCount } from "~/platform/format-integer";

/** Why a file cannot be used, and how it will print. Sentences have no full stop: callers join them with ". ". */

export const WRONG_KIND = {
  frontOrBack: "Invalid format. Allowed: jpeg, jpg, png, pdf",
  signature: "Invalid format. Allowed: jpeg, png",
  letter: "The letter file must be a PDF",
} as const;

export const NOT_MEASURABLE = "Could not read image dimensions";
export const NOT_PROCESSED = "Failed to process file";

/** Details behind {@link NOT_PROCESSED} and {@link WRONG_KIND}. */
export const EMPTY_FILE = "The file is empty";
export const CUT_OFF = "The file is incomplete. Save or download it again";
export const NO_IMAGE = "The file has no image in it. Save it again";
export const TWO_SIZES = "The file states two image sizes. Save it again";
export const DAMAGED_JPEG = "The JPEG data is damaged. Save it again";
export const DAMAGED_PNG = "The PNG data is damaged. Save it again";
export const RARE_JPEG = "This kind of JPEG cannot be printed. Save it as a standard JPEG";
export const UNREADABLE_PDF = "The PDF cannot be read. Export it again";
export const ENCRYPTED_PDF = "The PDF is locked with a password. Export it without one";
export const IMAGE_AND_PDF = "The file is both an image and a PDF. Save it as one of them";

/** Said of a file field in a request body. */
export const NOT_A_FILE =
  "Must be an http(s) URL or base64 (RFC 4648: no data: prefix, no line breaks, padded with =)";

export function formatFieldSpelling(field: string): string {
  return `Name this field ${field}`;
}

export function formatActualKind(kind: string): string {
  return `The file is ${kind}`;
}

export function formatWrongSide(
  side: "Width" | "Height",
  fit: "exactly" | "at most",
  limitPx: number,
  gotPx: number,
): string {
  return `${side} must ${fit === "exactly" ? "be exactly" : "not exceed"} ${limitPx}px (got ${gotPx}px)`;
}

/** @param files how many files have `bytes` together */
export function formatTooLarge(bytes: number, limitBytes: number, files: number): string {
  const subject = files === 1 ? "The file is" : "The files together are";
  return `${subject} ${toMegabytes(bytes)} MB; one request can carry ${toMegabytes(limitBytes)} MB. Please reduce image sizes or content`;
}

/** Rounds up, so that a size over the limit never reads like the limit. */
function toMegabytes(bytes: number): string {
  return (Math.ceil(bytes / 10_000) / 100).toFixed(2).replace(/\.00$/, "");
}

export const PDF_RESOLUTION = "PDF: print quality depends on the file";

export function formatPdfAdvice(
  size: string,
  needed: { longPx: number; shortPx: number },
  limit: { px: number; dpi: number },
): string {
  return `Use a PDF for ${size}: it needs about ${needed.longPx} x ${needed.shortPx} px. A JPG or PNG is limited to ${limit.px} px (${limit.dpi} dpi).`;
}

export function formatPagesPerSide(pages: number): string {
  return `This PDF has ${pages} pages, but a side is one page. Attach front and back as two files.`;
}

export function formatTooManyPages(pages: number, most: number): string {
  return `This PDF has ${pages} pages; ${most} can be printed. Remove ${formatCount(pages - most, "page")}.`;
}
