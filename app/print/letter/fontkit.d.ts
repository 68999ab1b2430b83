/** The parts of `fontkit` that are used here; it ships no types. Lengths are font units, `unitsPerEm` per em. */
declare module "fontkit" {
  export interface Glyph {
    id: number;
    /** The characters it stands for: several for a ligature. */
    codePoints: number[];
    advanceWidth: number;
  }

  export interface GlyphPosition {
    xAdvance: number;
    xOffset: number;
    yOffset: number;
  }

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
    glyphForCodePoint(codePoint: number): Glyph;
    getGlyph(id: number, codePoints?: number[]): Glyph;
    /** Glyphs from left to right, in either direction. */
    layout(
      text: string,
      features: Record<string, boolean> | undefined,
      script: string | undefined,
      language: string | undefined,
      direction: "ltr" | "rtl",
    ): { glyphs: Glyph[]; positions: GlyphPosition[] };
    createSubset(): Subset;
  }

  export function create(file: Uint8Array): Font;
}
