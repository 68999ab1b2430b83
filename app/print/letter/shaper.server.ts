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
  file: Font;
  /** Finds the glyph of a character; undefined if it has none. */
  findGlyph(character: string): number | undefined;
  /** Measures the advance width of a glyph without kerning. */
  measureGlyph(id: number): number;
  /** Returns the glyphs of a text in one direction, from left to right. */
  shape(text: string, rightToLeft: boolean): ShapedGlyph[];
}

interface ShapedGlyph {
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

export type FontName = keyof LetterFonts;

export interface PlacedGlyph extends Omit<ShapedGlyph, "start"> {
  /** The characters it stands for; "" when an earlier glyph has them. */
  text: string;
}

export interface ShapedText {
  text: string;
  /** From left to right. */
  glyphs: PlacedGlyph[];
  /** Thousandths of an em. */
  width: number;
}

const NO_GLYPH = "\u25A1";
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Zs}/u;
const EMOJI = /\uFE0F|\u20E3|\p{Emoji_Presentation}/u;
const NO_SCRIPT = /^[\p{Script=Common}\p{Script=Inherited}]/u;

/** Turns the words of one letter into glyphs. Caches words, and collects characters that no font has. */
export class Shaper {
  /** Characters that are drawn as a box, in the order met. */
  readonly missing = new Set<string>();
  private readonly known = new Map<string, ShapedText>();

  constructor(readonly fonts: LetterFonts) {}

  /** The font for a character with its accents. Punctuation and digits use `near`, the font of the letters before. */
  chooseFont(character: string, near: FontName): FontName {
    const order: FontName[] = EMOJI.test(character)
      ? ["emoji", "text", "arabic"]
      : NO_SCRIPT.test(character)
        ? [near, "text", "arabic", "emoji"]
        : ["text", "arabic", "emoji"];
    return order.find((name) => listMissing(this.fonts[name], character).length === 0) ?? "text";
  }

  /** The glyphs of a text in one font and one direction, without line breaks. */
  shape(fontName: FontName, text: string, rightToLeft: boolean): ShapedText {
    const key = `${fontName}${rightToLeft ? "<" : ">"}${text}`;
    const shaped = this.known.get(key) ?? this.shapeNew(this.fonts[fontName], text, rightToLeft);
    this.known.set(key, shaped);
    return shaped;
  }

  private shapeNew(font: LetterFont, text: string, rightToLeft: boolean): ShapedText {
    const shaped = font.shape(text, rightToLeft);
    if (rightToLeft) shaped.reverse();
    const glyphs: PlacedGlyph[] = [];
    for (let from = 0; from < shaped.length; ) {
      const start = shaped[from]?.start;
      let to = from + 1;
      while (shaped[to]?.start === start) to++;
      const part = text.slice(from === 0 ? 0 : start, shaped[to]?.start);
      glyphs.push(...this.placeGlyphs(font, shaped.slice(from, to), part));
      from = to;
    }
    if (rightToLeft) glyphs.reverse();
    return { text, glyphs, width: glyphs.reduce((sum, { advance }) => sum + advance, 0) };
  }

  /** The glyphs of a letter with its marks, or one box if the font lacks a part of it. */
  private placeGlyphs(font: LetterFont, shaped: ShapedGlyph[], text: string): PlacedGlyph[] {
    const isBox = shaped.some(({ id }) => id === 0);
    if (isBox) for (const character of listMissing(font, text)) this.missing.add(character);
    const drawn = isBox ? font.shape(NO_GLYPH, false) : shaped;
    return drawn.map(({ start: _, ...glyph }, at) => ({ ...glyph, text: at === 0 ? text : "" }));
  }
}

/** Lists the visible characters that a font has no glyph for. */
function listMissing(font: LetterFont, text: string): string[] {
  return [...text].filter(
    (character) => !INVISIBLE.test(character) && font.findGlyph(character) === undefined,
  );
}
