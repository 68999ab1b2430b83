import { MEASURED, WIDTHS } from "./font-widths";

interface Typeface {
  /** Advance widths by code point in 1/1000 em; 0 when unknown. */
  widths: Uint16Array;
  /** Width of characters that are not in the table, in 1/1000 em. */
  fallback: number;
  /** Height above and below the baseline, and line height, in em. */
  ascent: number;
  descent: number;
  leading: number;
  /** CSS font family: the font, others with the same metrics, and a generic one. */
  family: string;
}

const COURIER_WIDTH = 600;

function toTable(widths: readonly number[]): Uint16Array {
  const table = new Uint16Array(MEASURED.reduce((most, code) => Math.max(most, code), 0) + 1);
  for (const [at, code] of MEASURED.entries()) table[code] = widths[at] ?? 0;
  return table;
}

const SANS: Typeface = {
  widths: toTable(WIDTHS.sans),
  fallback: 556,
  ascent: 0.905,
  descent: 0.212,
  leading: 1.15,
  family: "Arial, Arimo, 'Liberation Sans', Helvetica, sans-serif",
};
const SERIF: Typeface = {
  widths: toTable(WIDTHS.serif),
  fallback: 500,
  ascent: 0.891,
  descent: 0.216,
  leading: 1.15,
  family: "'Times New Roman', Tinos, 'Liberation Serif', Times, serif",
};
const MONO: Typeface = {
  widths: toTable(MEASURED.map(() => COURIER_WIDTH)),
  fallback: COURIER_WIDTH,
  ascent: 0.833,
  descent: 0.3,
  leading: 1.133,
  family: "'Courier New', Cousine, 'Liberation Mono', Courier, monospace",
};
/** Typefaces by the values of the `font` field. */
const TYPEFACES: Readonly<Record<string, Typeface>> = {
  Arial: SANS,
  Helvetica: SANS,
  Times: SERIF,
  "Times New Roman": SERIF,
  Courier: MONO,
  "Courier New": MONO,
  Verdana: {
    widths: toTable(WIDTHS.verdana),
    fallback: 600,
    ascent: 1.005,
    descent: 0.21,
    leading: 1.215,
    family: "Verdana, 'DejaVu Sans', sans-serif",
  },
  Georgia: {
    widths: toTable(WIDTHS.georgia),
    fallback: 530,
    ascent: 0.917,
    descent: 0.219,
    leading: 1.136,
    family: "Georgia, Gelasio, 'DejaVu Serif', serif",
  },
  "Comic Sans MS": {
    widths: toTable(WIDTHS.comic),
    fallback: 550,
    ascent: 1.102,
    descent: 0.291,
    leading: 1.394,
    family: "'Comic Sans MS', 'Comic Relief', 'Comic Neue', cursive",
  },
};

/** Finds the typeface of a `font` value; Arial for "" and unknown names. */
export function findTypeface(font: string): Typeface {
  return (Object.hasOwn(TYPEFACES, font) ? TYPEFACES[font] : undefined) ?? SANS;
}

const COMBINING = /\p{M}|\u200b|\u200d|\ufe0f/u;
/** East Asian characters and emoji are one em wide, and a line may end after each of them. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;
/** Hebrew, Arabic and their neighbours as the first letter. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const WIDE_WIDTH = 1000;
const EM = 1000;

function measureCharacter(typeface: Typeface, character: string): number {
  const known = typeface.widths[character.codePointAt(0) ?? 0];
  if (known) return known;
  if (COMBINING.test(character)) return 0;
  if (WIDE.test(character)) return WIDE_WIDTH;
  const base = character.normalize("NFD").codePointAt(0) ?? 0;
  return typeface.widths[base] || typeface.fallback;
}

/** Measures the width of `text` in points, the same on the server and in every browser. */
export function measureText(font: string, sizePt: number, text: string): number {
  return (sum(findTypeface(font), text) * sizePt) / EM;
}

/** True when every character's width is known; otherwise {@link measureText} is an estimate. */
export function isMeasured(font: string, text: string): boolean {
  const { widths } = findTypeface(font);
  for (const character of text) if (!widths[character.codePointAt(0) ?? 0]) return false;
  return true;
}

/** True when a line is right-to-left, by its first letter. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Breaks `text` into lines no wider than `widthPt`. Typed line ends are kept, lines break at spaces, and a word wider
 * than a line is broken inside. "" gives no line.
 */
export function breakLines(font: string, sizePt: number, text: string, widthPt: number): string[] {
  if (text === "") return [];
  const typeface = findTypeface(font);
  const most = (widthPt * EM) / sizePt;
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((paragraph) => breakParagraph(typeface, paragraph, most));
}

/** One paragraph; `most` is in 1/1000 em. */
function breakParagraph(typeface: Typeface, paragraph: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const part of paragraph.match(/ +|[^ ]+/g) ?? []) {
    for (const piece of splitPart(part)) {
      const pieceWidth = sum(typeface, piece);
      if (width + pieceWidth <= most || (line === "" && piece.startsWith(" "))) {
        line += piece;
        width += pieceWidth;
        continue;
      }
      if (piece.startsWith(" ")) {
        // Spaces at the end of a line take no space; the next word starts a new line.
        width = most + 1;
        continue;
      }
      if (line.trim() !== "") lines.push(line.trimEnd());
      const chunks = pieceWidth <= most ? [piece] : chopWord(typeface, piece, most);
      line = chunks.pop() ?? "";
      for (const chunk of chunks) lines.push(chunk);
      width = sum(typeface, line);
    }
  }
  lines.push(line.trimEnd());
  return lines;
}

/** Splits a word around its wide characters, because a line may end between them. */
function splitPart(part: string): string[] {
  if (!WIDE.test(part)) return [part];
  const pieces: string[] = [];
  let joins = false;
  for (const character of part.match(/.(?:\p{M}|\u200d.)*/gsu) ?? []) {
    const narrow = !WIDE.test(character);
    if (joins && narrow) pieces.push(pieces.pop() + character);
    else pieces.push(character);
    joins = narrow;
  }
  return pieces;
}

function chopWord(typeface: Typeface, word: string, most: number): string[] {
  const chunks: string[] = [];
  let chunk = "";
  let width = 0;
  for (const character of word) {
    const wide = measureCharacter(typeface, character);
    if (chunk !== "" && width + wide > most) {
      chunks.push(chunk);
      chunk = "";
      width = 0;
    }
    chunk += character;
    width += wide;
  }
  return [...chunks, chunk];
}

function sum(typeface: Typeface, text: string): number {
  let width = 0;
  for (const character of text) width += measureCharacter(typeface, character);
  return width;
}
