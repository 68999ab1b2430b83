/** The pages of a letter that is made from text. All lengths are points (1/72 inch). */
export const PAGE_SIZES = {
  A4: { width: 595.28, height: 841.89 },
  "US-LETTER": { width: 612, height: 792 },
} as const;

export type PageSize = keyof typeof PAGE_SIZES;

export function findPageSize(home: "US" | "GB"): PageSize {
  return home === "US" ? "US-LETTER" : "A4";
}

export const MARGIN = 72;
export const FONT_SIZE = 12;
export const LINE_HEIGHT = 14.4;

export const POINTS_PER_MM = 72 / 25.4;

/**
 * The area on the first page where the provider prints the address, visible in the envelope's window. Approximate: US
 * from client code that cites the provider's design page, A4 from DL envelopes; the provider publishes no figures.
 */
export const ADDRESS_WINDOWS = {
  "US-LETTER": toPoints({ x: 19.05, y: 25.4, width: 101.6, height: 25.4 }),
  A4: toPoints({ x: 20, y: 43, width: 90, height: 35 }),
};
/** Between address and text: one line. Approximate: our choice. */
const ADDRESS_GAP = LINE_HEIGHT;

function toPoints(mm: { x: number; y: number; width: number; height: number }) {
  return {
    x: mm.x * POINTS_PER_MM,
    y: mm.y * POINTS_PER_MM,
    width: mm.width * POINTS_PER_MM,
    height: mm.height * POINTS_PER_MM,
  };
}

/** Distance from the top of a page (from 1) to its text: the margin, or on page 1 the end of the address area. */
export function findTextTop(pageSize: PageSize, page: number): number {
  const { y, height } = ADDRESS_WINDOWS[pageSize];
  return page === 1 ? Math.max(MARGIN, y + height + ADDRESS_GAP) : MARGIN;
}

/** Two decimals: finer than any printer, and the same text on the server and in the browser. */
export function round(length: number): number {
  return Math.round(length * 100) / 100;
}

export interface LetterRequest {
  /** The letter's text with its variables filled. */
  text: string;
  page_size: PageSize;
}

/** The lines of a letter as its PDF has them, for a preview. */
export interface LetterDrawing {
  /** Limited to the pages that the provider prints. */
  pages: DrawnText[][];
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

export const EMPTY_DRAWING: LetterDrawing = { pages: [[]], total: 1, missing: [] };
