import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Font } from "fontkit";

const FILES = {
  text: "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
  arabic: "@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf",
  emoji: "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
} as const;

export type LetterFonts = Record<keyof typeof FILES, LetterFont>;

/** A font of a letter, which HarfBuzz shapes. Lengths are 1/1000 em. */
export interface LetterFont {
  /** To embed it. */
  file: Font;
  /** Finds the glyph of a character; undefined if it has none. */
  findGlyph(character: string): number | undefined;
  /** Measures the advance width of a glyph without kerning. */
  measureGlyph(id: number): number;
  /** Returns the glyphs of a text in one direction, from left to right. */
  shape(text: string, rightToLeft: boolean): ShapedGlyph[];
}

export interface ShapedGlyph {
  id: number;
  advance: number;
  dx: number;
  dy: number;
  /** Where its characters begin in the text. The glyphs of joined characters have the same start. */
  start: number;
}

let loading: Promise<LetterFonts> | undefined;

/** Loads the fonts of a letter from their packages once. Arimo has the widths of Arial. */
export function loadLetterFonts(): Promise<LetterFonts> {
  loading ??= loadFontFiles().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadFontFiles(): Promise<LetterFonts> {
  const { resolve } = createRequire(import.meta.url);
  // Loaded with the first letter: at the start of the console it would be a tenth of what that takes.
  const [{ create }, harfbuzz] = await Promise.all([import("fontkit"), import("harfbuzzjs")]);
  const buffer = new harfbuzz.Buffer();
  const open = async (path: string): Promise<LetterFont> => {
    const bytes = await readFile(resolve(path));
    const font = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)));
    const perEm = 1000 / font.face.upem;
    return {
      file: create(bytes),
      findGlyph: (character) => font.nominalGlyph(character.codePointAt(0) ?? 0),
      measureGlyph: (id) => font.glyphHAdvance(id) * perEm,
      shape: (text, rightToLeft) => {
        buffer.reset();
        buffer.addText(text);
        buffer.setFlags(harfbuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
        buffer.guessSegmentProperties();
        buffer.setDirection(rightToLeft ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
        harfbuzz.shape(font, buffer);
        return buffer.getGlyphInfosAndPositions().map(({ codepoint: id, cluster, ...at }) => ({
          id,
          advance: (at.xAdvance ?? 0) * perEm,
          dx: (at.xOffset ?? 0) * perEm,
          dy: (at.yOffset ?? 0) * perEm,
          start: cluster,
        }));
      },
    };
  };
  const [text, arabic, emoji] = await Promise.all([open(FILES.text), open(FILES.arabic), open(FILES.emoji)]);
  return { text, arabic, emoji };
}
