import type { PageSize } from "./page";

/** The body of `POST /api/letter-layout`. */
export interface LetterRequest {
  /** The letter's text with its variables filled. */
  text: string;
  page_size: PageSize;
}

/** The lines of a letter as its PDF has them, for a preview. */
export interface LetterDrawing {
  /** Limited to the pages that the provider prints. */
  pages: DrawnText[][];
  /** All pages. */
  total: number;
  /** Characters that are not printed as typed, each once; `U+0007` for one that cannot be shown. */
  missing: string[];
}

/** A part of a line in one font and direction. Lengths are points from the page's left and top edge. */
export interface DrawnText {
  /** The left edge, also of right-to-left text. */
  x: number;
  baseline: number;
  width: number;
  text: string;
  rightToLeft: boolean;
}

/** The pages of a letter's text as the server last laid them out. */
export interface LetterPages {
  drawing: LetterDrawing;
  /** Why they are not those of the text as it is now; else null. */
  problem: string | null;
}

/** A letter that has no text yet. */
export const EMPTY_DRAWING: LetterDrawing = { pages: [[]], total: 1, missing: [] };
