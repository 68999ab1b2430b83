import type { PdfSize } from "~/ui/pdf/pdf-file";
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

/** The pages are measured by pdf.js after the check; absent when it cannot read the file. */
interface PdfFile extends Partial<PdfSize> {
  kind: "pdf";
  /** File size. */
  bytes: number;
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
