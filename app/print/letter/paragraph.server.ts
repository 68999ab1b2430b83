import bidiFactory from "bidi-js";
import { FONT_SIZE } from "./page";
import { cutRightToLeft } from "./right-to-left";
import type { FontName, ShapedText, Shaper } from "./shaper.server";

/** A word, a part of one (where font or direction changes), spaces or a tab. */
export interface Atom extends ShapedText {
  kind: "word" | "space" | "tab";
  font: FontName;
  /** Bidirectional level: odd is right-to-left. */
  level: number;
  /** A line may end after this word. */
  breakable: boolean;
}

/** UTF-16 units of one character with its accents. */
export const MAX_CLUSTER = 100;

type Span = { text: string; font: FontName; level: number };

const PLAIN = /^[\t\x20-\x7E\u00A0-\u00AC\u00AE-\u017F]*$/;
const SPACES = " \\u1680\\u2000-\\u2006\\u2008-\\u200A\\u205F\\u3000";
const ATOMS = new RegExp(`\\t|[${SPACES}]+|[^\\t${SPACES}]+`, "gu");
const ONLY_SPACES = new RegExp(`^[${SPACES}]`, "u");
const AFTER_HYPHEN = /(?<=\p{L}[-\u2010])(?=\p{L})|(?<=[\u2013\u2014\u200B])(?=.)/u;
const ABOVE_FFFF = /[\u{10000}-\u{10FFFF}]/gu;
const FURTHER_TABS = /(?<=\t)[\t ]*\t/g;
/** Tabs with only spaces and invisible characters between them. */
const NEAR_TABS = /\t[\t \u00AD\u1680\u180E\u2000-\u200D\u202A-\u202E\u205F-\u206F\u3000\uFEFF]*\t/g;
const NEUTRAL = "\u2022";
const FIRST_LETTER_ARABIC = /^\P{L}*\p{Script=Arabic}/u;

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** UTF-16 units split at once, because the time of the segmenter grows with the square of a text's length. */
const SPLIT_AT_ONCE = 10 * MAX_CLUSTER;

/**
 * Splits text into what a reader sees as characters: a letter with its accents, an emoji of several parts. May cut those
 * above {@link MAX_CLUSTER}.
 */
function listCharacters(text: string): string[] {
  const characters: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + SPLIT_AT_ONCE;
    const found = Array.from(graphemes.segment(text.slice(start, end)), (each) => each.segment);
    // The last one may be half a surrogate pair, and the one before may continue.
    if (end < text.length && found.length > 2) found.splice(-2);
    for (const character of found) start += character.length;
    characters.push(...found);
  }
  return characters;
}

/** Cuts a typed line where it may break and where font or direction changes. Null above {@link MAX_CLUSTER} parts in a character. */
export function parseLine(text: string, shaper: Shaper): { rightToLeft: boolean; atoms: Atom[] } | null {
  if (PLAIN.test(text)) {
    return { rightToLeft: false, atoms: cutSpan({ text, font: "text", level: 0 }, shaper) };
  }
  const characters = listCharacters(text);
  if (characters.some((character) => character.length > MAX_CLUSTER)) return null;
  const neutral = text
    // Emoji have no direction, but their halves would count as left-to-right.
    .replace(ABOVE_FFFF, NEUTRAL.repeat(2))
    // The library takes seconds for many tabs. Their own level does not matter, and the last of a sequence sets that of its spaces.
    .replace(FURTHER_TABS, (tabs) => NEUTRAL.repeat(tabs.length))
    .replace(NEAR_TABS, (tabs) => `${tabs.slice(0, -1).replaceAll("\t", " ")}\t`);
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

const TAB_STOP = (36 / FONT_SIZE) * 1000;
/** Half a hundredth of a point, because sums of widths are not exact. */
const SLACK = 0.4;

/**
 * Breaks a paragraph into lines no wider than `width` (1/1000 em). Words move whole to the next line; a word longer than
 * a line is broken between characters. Spaces at the end of a line are dropped.
 */
export function wrap(atoms: readonly Atom[], width: number, shaper: Shaper): Atom[][] {
  const lines: Atom[][] = [];
  let line: Atom[] = [];
  let filled = 0;
  for (const word of joinWords(atoms)) {
    const [first] = word;
    if (first?.kind === "tab") push(stretchTab(first, filled));
    else if (first?.kind === "space") push(first);
    else addWord(word);
  }
  endLine();
  return lines;

  function addWord(word: Atom[]): void {
    const wide = word.reduce((sum, atom) => sum + atom.width, 0);
    const started = line.some((atom) => atom.kind === "word");
    if (!fits(wide) && (started || wide <= width)) endLine();
    for (const atom of word) {
      if (fits(atom.width)) push(atom);
      else pushBroken(atom);
    }
  }

  /** Breaks a word that is longer than a line. Its characters are measured together, because joined letters change width. */
  function pushBroken(atom: Atom): void {
    const cut = (text: string) => ({ ...atom, ...shaper.shape(atom.font, text, atom.level % 2 === 1) });
    let part = "";
    for (const character of listCharacters(atom.text)) {
      const longer = part + character;
      if (fits(cut(longer).width) || (part === "" && line.length === 0)) part = longer;
      else {
        if (part !== "") push(cut(part));
        endLine();
        part = character;
      }
    }
    push(cut(part));
  }

  function fits(wide: number): boolean {
    return filled + wide <= width + SLACK;
  }

  function push(atom: Atom): void {
    line.push(atom);
    filled += atom.width;
  }

  function endLine(): void {
    while (line.length > 0 && line.at(-1)?.kind !== "word") line.pop();
    lines.push(line);
    line = [];
    filled = 0;
  }
}

function stretchTab(tab: Atom, filled: number): Atom {
  const stop = (Math.floor((filled + tab.width) / TAB_STOP) + 1) * TAB_STOP;
  const width = stop - filled;
  return { ...tab, width, glyphs: tab.glyphs.map((glyph) => ({ ...glyph, advance: width })) };
}

/** Spaces and tabs on their own; words together with everything that must stay on the same line. */
function joinWords(atoms: readonly Atom[]): Atom[][] {
  const words: Atom[][] = [];
  let joins = false;
  for (const atom of atoms) {
    const last = words.at(-1);
    if (joins && last && atom.kind === "word") last.push(atom);
    else words.push([atom]);
    joins = atom.kind === "word" && !atom.breakable;
  }
  return words;
}
