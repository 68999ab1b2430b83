/** The page of a letter made from text (spec §9 "Text-to-PDF defaults"). All lengths are points, 72 to the inch. */
export const PAGE_SIZES = {
  A4: { width: 595.28, height: 841.89 },
  "US-LETTER": { width: 612, height: 792 },
} as const;

export type PageSize = keyof typeof PAGE_SIZES;

export const MARGIN = 72;
export const FONT_SIZE = 12;
export const LINE_HEIGHT = 14.4;

/** The longest text and the most pages that are made into a letter; one public page of the provider says 64. */
export const MAX_CHARACTERS = 200_000;
export const MAX_PAGES = 64;

export function countLinesPerPage(pageSize: PageSize): number {
  // The hundredth of a point keeps a page that is filled exactly (US Letter: 45 lines) from losing a line.
  return Math.floor((PAGE_SIZES[pageSize].height - 2 * MARGIN + 0.01) / LINE_HEIGHT);
}
