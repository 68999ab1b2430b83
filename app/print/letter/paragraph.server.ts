import { MAX_CLUSTER } from "./page";
import { cutRightToLeft } from "./right-to-left";
import { bidi, type FontName, type ShapedText, type Shaper } from "./shaper.server";

/** A word, a part of one (where font or direction changes), spaces or a tab. */
export interface Atom extends ShapedText {
  kind: "word" | "space" | "tab";
  font: FontName;
  /** Bidirectional level: odd is right-to-left. */
  level: number;
  /** A line may end after this word. */
  breakable: boolean;
}

interface Span {
  text: string;
  font: FontName;
  level: number;
}

const PLAIN = /^[\t\x20-\x7E\u00A0-\u00AC\u00AE-\u017F]*$/;
const SPACES = " \\u1680\\u2000-\\u2006\\u2008-\\u200A\\u205F\\u3000";
const ATOMS = new RegExp(`\\t|[${SPACES}]+|[^\\t${SPACES}]+`, "gu");
const ONLY_SPACES = new RegExp(`^[${SPACES}]`, "u");
const AFTER_HYPHEN = /(?<=\p{L}[-\u2010])(?=\p{L})|(?<=[\u2013\u2014\u200B])(?=.)/u;
const ABOVE_FFFF = /[\u{10000}-\u{10FFFF}]/gu;
const FURTHER_TABS = /(?<=\t)[\t ]*\t/g;
const NEUTRAL = "\u2022";
const FIRST_LETTER_ARABIC = /^\P{L}*\p{Script=Arabic}/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits text into what a reader sees as characters: a letter with its accents, an emoji of several parts. */
export function listCharacters(text: string): string[] {
  return Array.from(graphemes.segment(text), (each) => each.segment);
}

/**
 * Cuts a typed line where it may break and where font or direction changes, in reading order. Null when a character has
 * more than {@link MAX_CLUSTER} parts.
 */
export function parseLine(text: string, shaper: Shaper): { rightToLeft: boolean; atoms: Atom[] } | null {
  if (PLAIN.test(text)) {
    return { rightToLeft: false, atoms: cutSpan({ text, font: "text", level: 0 }, shaper) };
  }
  const characters = listCharacters(text);
  if (characters.some((character) => character.length > MAX_CLUSTER)) return null;
  const neutral = text
    // Emoji have no direction, but their halves would count as left-to-right.
    .replace(ABOVE_FFFF, NEUTRAL.repeat(2))
    // The library takes seconds for many tabs, whose level does not matter.
    .replace(FURTHER_TABS, (tabs) => NEUTRAL.repeat(tabs.length));
  const { levels, paragraphs } = bidi.getEmbeddingLevels(neutral);
  const base = paragraphs[0]?.level ?? 0;
  const atoms = cutSpans(characters, levels, base, shaper).flatMap((span) => cutSpan(span, shaper));
  return { rightToLeft: base % 2 === 1, atoms };
}

function cutSpans(characters: string[], levels: Uint8Array, base: number, shaper: Shaper): Span[] {
  const spans: Span[] = [];
  let near: FontName = FIRST_LETTER_ARABIC.test(characters.join("")) ? "arabic" : "text";
  let index = 0;
  for (const character of characters) {
    const font = shaper.chooseFont(character, near);
    if (font !== "emoji") near = font;
    const level = character === "\t" ? base : (levels[index] ?? base);
    const last = spans.at(-1);
    if (last?.font === font && last.level === level) last.text += character;
    else spans.push({ text: character, font, level });
    index += character.length;
  }
  return spans;
}

function cutSpan(span: Span, shaper: Shaper): Atom[] {
  return (span.text.match(ATOMS) ?? []).flatMap((part) => {
    if (part === "\t") return [shapeAtom(span, " ", "tab", shaper)];
    if (ONLY_SPACES.test(part)) return [shapeAtom(span, part, "space", shaper)];
    return part.split(AFTER_HYPHEN).flatMap((word, index, words) => {
      const parts = span.level % 2 === 1 ? cutRightToLeft(word) : [word];
      return parts.map((part, place) => ({
        ...shapeAtom(span, part, "word", shaper),
        breakable: index < words.length - 1 && place === parts.length - 1,
      }));
    });
  });
}

function shapeAtom(span: Span, text: string, kind: Atom["kind"], shaper: Shaper): Atom {
  const set = shaper.shape(span.font, text, span.level % 2 === 1);
  return { ...set, kind, font: span.font, level: span.level, breakable: false };
}
