import bidiFactory from "bidi-js";
import type { Font, Glyph, GlyphPosition } from "fontkit";
import type { LetterFonts } from "./letter-font.server";

export type FontName = keyof LetterFonts;

/** One glyph. Lengths are 1/1000 em. */
export interface PlacedGlyph {
  id: number;
  /** The advance width in the font, without kerning. */
  width: number;
  advance: number;
  dx: number;
  dy: number;
  /** The characters it stands for; "" when an earlier glyph has them. */
  text: string;
}

export interface ShapedText {
  text: string;
  /** From left to right. */
  glyphs: PlacedGlyph[];
  /** Thousandths of an em. */
  width: number;
  /** Characters that are drawn as a box. */
  missing: readonly string[];
}

const NO_GLYPH = "\u25A1";
const HIDDEN = /\p{Default_Ignorable_Code_Point}/u;
const SPACE = /\p{Zs}/u;
const MARK = /\p{M}/u;
const EMOJI = /\uFE0F|\u20E3|\p{Emoji_Presentation}/u;
const NO_SCRIPT = /^[\p{Script=Common}\p{Script=Inherited}]/u;
/** Characters of Arimo that are always one glyph each, whatever is next to them. */
const SIMPLE =
  /^[\x20-\x7E\u00A1-\u00AC\u00AE-\u024F\u0370-\u0482\u048A-\u052F\u05D0-\u05EA\u1E00-\u1FFF\u2010-\u2027\u20AC]{3,}$/;

export const bidi = bidiFactory();

/** Words of the letters before: a letter is laid out again with every key that is typed. */
const recent = new Map<string, ShapedText>();
const MOST_RECENT = 5_000;
const LONGEST_RECENT = 40;

/** Turns the words of one letter into glyphs. Caches words and collects characters that no font has. */
export class Shaper {
  /** Characters that are drawn as a box, in the order met. */
  readonly missing = new Set<string>();
  private readonly known = new Map<string, ShapedText>();
  private readonly chosen = new Map<string, FontName>();

  constructor(readonly fonts: LetterFonts) {}

  /** The font for a character with its accents. Punctuation and digits use `near`, the font of the letters before. */
  chooseFont(character: string, near: FontName): FontName {
    const key = near + character;
    const known = this.chosen.get(key);
    if (known) return known;
    const order: FontName[] = EMOJI.test(character)
      ? ["emoji", "text", "arabic"]
      : NO_SCRIPT.test(character)
        ? [near, "text", "arabic", "emoji"]
        : ["text", "arabic", "emoji"];
    const font = order.find((name) => covers(this.fonts[name], character)) ?? "text";
    this.chosen.set(key, font);
    return font;
  }

  /** The glyphs of a text in one font and one direction, without line breaks. */
  shape(fontName: FontName, text: string, rightToLeft: boolean): ShapedText {
    const key = `${fontName}${rightToLeft ? "<" : ">"}${text}`;
    const known = this.known.get(key);
    if (known) return known;
    const set = recent.get(key) ?? this.shapeAnew(fontName, text, rightToLeft);
    this.known.set(key, set);
    for (const character of set.missing) this.missing.add(character);
    if (key.length > LONGEST_RECENT || recent.has(key)) return set;
    if (recent.size >= MOST_RECENT) recent.clear();
    recent.set(key, set);
    return set;
  }

  private shapeAnew(fontName: FontName, text: string, rightToLeft: boolean): ShapedText {
    return fontName === "text" && SIMPLE.test(text)
      ? this.shapeByPairs(text, rightToLeft)
      : shapeWithFont(this.fonts[fontName], text, rightToLeft);
  }

  /** Most text needs only kerning, which depends on pairs of neighbours. This is many times faster. */
  private shapeByPairs(text: string, rightToLeft: boolean): ShapedText {
    const glyphs: PlacedGlyph[] = [];
    for (let index = 0; index < text.length; index++) {
      const pair = this.shape("text", text.slice(index, index + 2), rightToLeft).glyphs;
      const glyph = rightToLeft ? pair.at(-1) : pair[0];
      if (glyph) glyphs.push(glyph);
    }
    if (rightToLeft) glyphs.reverse();
    return { text, glyphs, width: sumAdvances(glyphs), missing: [] };
  }
}

function shapeWithFont(font: Font, text: string, rightToLeft: boolean): ShapedText {
  const { characters, missing } = chooseDrawn(font, text, rightToLeft);
  const drawn = orderMarks(characters.map((each) => each.drawn).join(""));
  const run = font.layout(drawn, undefined, undefined, undefined, rightToLeft ? "rtl" : "ltr");
  const counts = run.glyphs.map((glyph) => glyph.codePoints.length);
  if (rightToLeft) counts.reverse();
  const texts = distributeCharacters(characters, counts);
  if (rightToLeft) texts.reverse();
  const perEm = 1000 / font.unitsPerEm;
  const glyphs = run.glyphs.map((glyph, index) =>
    toPlacedGlyph(glyph, run.positions[index], texts[index], perEm),
  );
  return { text, glyphs, width: sumAdvances(glyphs), missing };
}

/**
 * Chooses the glyph of each character: a box if no font has it (one box for a letter and its marks), nothing for an
 * invisible one that the font does not have.
 */
function chooseDrawn(
  font: Font,
  text: string,
  rightToLeft: boolean,
): { characters: Drawn[]; missing: string[] } {
  const missing: string[] = [];
  let boxed = false;
  const characters = Array.from(text, (character) => {
    if (hasGlyph(font, character)) {
      boxed = false;
      return { character, drawn: (rightToLeft ? bidi.getMirroredCharacter(character) : null) ?? character };
    }
    if (HIDDEN.test(character)) return { character, drawn: "" };
    if (SPACE.test(character)) return { character, drawn: " " };
    missing.push(character);
    if (boxed && MARK.test(character)) return { character, drawn: "" };
    boxed = true;
    return { character, drawn: NO_GLYPH };
  });
  return { characters, missing };
}

interface Drawn {
  character: string;
  drawn: string;
}

/** True when the font has every visible character of the text. */
function covers(font: Font, text: string): boolean {
  for (const character of text) {
    if (!HIDDEN.test(character) && !SPACE.test(character) && !hasGlyph(font, character)) return false;
  }
  return true;
}

function sumAdvances(glyphs: PlacedGlyph[]): number {
  return glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
}

function hasGlyph(font: Font, character: string): boolean {
  return font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}

function toPlacedGlyph(
  glyph: Glyph,
  at: GlyphPosition | undefined,
  text: string | undefined,
  perEm: number,
): PlacedGlyph {
  return {
    id: glyph.id,
    width: glyph.advanceWidth * perEm,
    advance: (at?.xAdvance ?? 0) * perEm,
    dx: (at?.xOffset ?? 0) * perEm,
    dy: (at?.yOffset ?? 0) * perEm,
    text: text ?? "",
  };
}

/**
 * Distributes the characters over glyphs that take `counts` drawn characters each, in reading order. A character that is
 * not drawn goes with the one before it, so that the parts always make up the whole text.
 */
function distributeCharacters(characters: Drawn[], counts: number[]): string[] {
  let next = 0;
  const texts = counts.map((count) => {
    let text = "";
    for (let taken = 0; next < characters.length; next++) {
      const each = characters[next];
      if (!each || (each.drawn !== "" && taken === count)) break;
      if (each.drawn !== "") taken++;
      text += each.character;
    }
    return text;
  });
  const rest = characters.slice(next).map((each) => each.character);
  if (texts.length > 0) texts[texts.length - 1] += rest.join("");
  return texts;
}

/** Marks that belong to the letter: dots of shin and sin, dagesh, rafe, holam; shadda. */
const FIRST = "\u05C1\u05C2\u05BC\u05BF\u05B9\u05BA\u0651";
const MARKS = /[\u0591-\u05C7\u064B-\u0655\u0670]{2,}/gu;

/**
 * Sorts Hebrew and Arabic marks into the order in which fonts expect them. In Unicode's order the vowel comes between a
 * letter and its dot, or below a shadda instead of above.
 */
export function orderMarks(text: string): string {
  return text.replace(MARKS, (marks) => {
    const ordered = [...marks].sort((one, other) => findRank(one) - findRank(other));
    return ordered.join("");
  });
}

function findRank(mark: string): number {
  const rank = FIRST.indexOf(mark);
  return rank === -1 ? FIRST.length : rank;
}
