/** What a file turned out to be, read from its content alone. */
export type CheckedFile = PictureFile | PdfFile;

interface PictureFile extends PictureSize {
  kind: "jpeg" | "png";
  /** Its size. */
  bytes: number;
}

/** As it is seen: a JPEG that its EXIF turns by a quarter has its axes swapped. */
export interface PictureSize {
  widthPx: number;
  heightPx: number;
}

interface PdfFile extends PdfFacts {
  kind: "pdf";
  /** Its size. */
  bytes: number;
}

/** Absent where the PDF keeps it compressed: nothing is unpacked to find it out. */
export interface PdfFacts {
  pages?: number;
  /** The first page as it is shown, in points (1/72 in). */
  pageSizePt?: { width: number; height: number };
}

export interface Refusal {
  ok: false;
  /** Spec §5's sentence first; then, where that alone does not help, the reason and the next step. */
  messages: string[];
}

export type FileCheck = { ok: true; file: CheckedFile } | Refusal;

export function refuse(...messages: string[]): Refusal {
  return { ok: false, messages };
}

export function refuseUnmeasured(): Refusal {
  return refuse("Could not read image dimensions");
}

export function refuseUnprocessed(why: string): Refusal {
  return refuse("Failed to process file", why);
}

export function refuseCutOff(): Refusal {
  return refuseUnprocessed("It breaks off before its end: save or download it again");
}
