/** The pages of a letter that is made from text. All lengths are points (1/72 inch). */
export const PAGE_SIZES = {
  A4: { width: 595.28, height: 841.89 },
  "US-LETTER": { width: 612, height: 792 },
} as const;

export type PageSize = keyof typeof PAGE_SIZES;

/** Finds the paper of a letter printed in the United States or in Britain. */
export function findPageSize(home: "US" | "GB"): PageSize {
  return home === "US" ? "US-LETTER" : "A4";
}

export const MARGIN = 72;
export const FONT_SIZE = 12;
export const LINE_HEIGHT = 14.4;

/** Limits of a letter made from text. One public page of the provider allows 64 pages. */
export const MAX_CHARACTERS = 200_000;
export const MAX_PAGES = 64;
/** Limits in UTF-16 units: one typed line (about ten pages), and one character with its accents. */
export const MAX_PARAGRAPH = 50_000;
export const MAX_CLUSTER = 100;

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

/** Splits a letter's lines into pages; no lines give one empty page. */
export function splitPages<Line>(lines: readonly Line[], pageSize: PageSize): Line[][] {
  const pages: Line[][] = [];
  for (let at = 0; at === 0 || at < lines.length; ) {
    const count = countLines(pageSize, pages.length + 1);
    pages.push(lines.slice(at, at + count));
    at += count;
  }
  return pages;
}

function countLines(pageSize: PageSize, page: number): number {
  const room = PAGE_SIZES[pageSize].height - findTextTop(pageSize, page) - MARGIN;
  // 0.01 pt keeps rounding from losing a line on a page that is filled exactly (US Letter: 45 lines).
  return Math.floor((room + 0.01) / LINE_HEIGHT);
}
