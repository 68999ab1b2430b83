import { findTypeface, type Typeface } from "./typefaces";

const COMBINING = /\p{M}|\u200b|\u200d|\ufe0f/u;
/** East Asian characters and emoji are one em wide, and a line may end after each of them. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;
/** Hebrew, Arabic and their neighbours as the first letter. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const EM = 1000;

function measureCharacter(typeface: Typeface, character: string): number {
  const known = typeface.widths[character.codePointAt(0) ?? 0];
  if (known) return known;
  if (COMBINING.test(character)) return 0;
  if (WIDE.test(character)) return EM;
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
