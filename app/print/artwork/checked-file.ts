import { CUT_OFF, NOT_MEASURABLE, NOT_PROCESSED } from "./messages";

/** Facts of a file from its content. Its name and declared type are ignored. */
export type CheckedFile = PictureFile | PdfFile;

interface PictureFile extends PictureSize {
  kind: "jpeg" | "png";
  /** File size. */
  bytes: number;
}

/** The size as shown: width and height are swapped for a JPEG that its EXIF data turns by 90 degrees. */
export interface PictureSize {
  widthPx: number;
  heightPx: number;
  /** True for four inks, which printing companies use. */
  isCmyk?: true;
}

interface PdfFile extends PdfFacts {
  kind: "pdf";
  /** File size. */
  bytes: number;
}

/** Fields are absent when the PDF keeps them in compressed streams, which are not unpacked here. */
export interface PdfFacts {
  pages?: number;
  /** Size of the first page as shown, in points (1/72 inch). */
  pageSizePt?: { width: number; height: number };
}

export interface Refusal {
  ok: false;
  /** The problem, then (if it helps) the reason and the next step. */
  messages: string[];
}

export type FileCheck = { ok: true; file: CheckedFile } | Refusal;

export function refuse(...messages: string[]): Refusal {
  return { ok: false, messages };
}

export function refuseUnmeasured(): Refusal {
  return refuse(NOT_MEASURABLE);
}

export function refuseUnprocessed(why: string): Refusal {
  return refuse(NOT_PROCESSED, why);
}

export function refuseCutOff(): Refusal {
  return refuseUnprocessed(CUT_OFF);
}
