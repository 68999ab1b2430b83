import bidiFactory from "bidi-js";
import type { LetterFont, LetterFonts, ShapedGlyph } from "./letter-font.server";

export type FontName = keyof LetterFonts;

/** One glyph. Lengths are 1/1000 em. */
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

export const bidi = bidiFactory();

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
