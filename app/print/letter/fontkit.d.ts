/** The parts of `fontkit` that are used here; it ships no types. Lengths are font units, `unitsPerEm` per em. */
declare module "fontkit" {
  export interface Subset {
    /** Adds the glyph; returns its number in the subset. */
    includeGlyph(id: number): number;
    encode(): Uint8Array;
  }

  export interface Font {
    postscriptName: string;
    unitsPerEm: number;
    ascent: number;
    descent: number;
    capHeight: number;
    bbox: { minX: number; minY: number; maxX: number; maxY: number };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): { advanceWidth: number };
    layout(
      text: string,
      features: Record<string, boolean>,
      script: string,
      language: undefined,
      direction: "ltr" | "rtl",
    ): { positions: { xAdvance: number }[] };
    createSubset(): Subset;
  }

  export function create(file: Uint8Array): Font;
}
