import { fail, succeed, type ValueOf } from "~/platform/outcome";
import { EMPTY_LETTER, formatLongCluster, formatLongLetter, formatLongParagraph } from "../messages";
import { placeTextRuns } from "./line.server";
import { FONT_SIZE, findTextTop, LINE_HEIGHT, MARGIN, PAGE_SIZES, type PageSize } from "./page";
import { type Atom, MAX_CLUSTER, parseLine, wrap } from "./paragraph.server";
import { type LetterFonts, loadLetterFonts, Shaper } from "./shaper.server";

export type LetterSource = { text: string; pageSize: PageSize };

/** Limits of a letter made from text. One public page of the provider allows 64 pages. */
const MAX_CHARACTERS = 200_000;
const MAX_PAGES = 64;
/** In UTF-16 units: one typed line, about ten pages. */
const MAX_PARAGRAPH = 50_000;
/** Two pages and a half: about 100 ms, whatever is written in it. */
const LONG_CHARACTERS = 8_000;

export function isLongLetter({ text }: LetterSource): boolean {
  return text.length > LONG_CHARACTERS && text.length <= MAX_CHARACTERS;
}

/** A letter's text at its place on the pages. The PDF is drawn from it, and so is the preview. */
export type LetterLayout = ValueOf<typeof layoutLetter>;
/** Points from the page's left and top edge. The positions of the runs are 1/1000 em from `left`. */
export type PlacedLine = LetterLayout["pages"][number][number];

export const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

type Line = { rightToLeft: boolean; atoms: Atom[] };

/**
 * Lays a letter's text out: 12 pt type with the widths of Arial, 72 pt margins, as many pages as needed, with the address
 * area of the first page left free. Fails for an empty text and above the limits of this file.
 */
export async function layoutLetter(text: string, pageSize: PageSize) {
  if (text.length > MAX_CHARACTERS) {
    return fail("too_large", formatLongLetter(text.length, MAX_CHARACTERS, "characters"));
  }
  const { lines: typed, unprintable } = cleanText(text);
  if (!typed.some((line) => VISIBLE.test(line))) {
    return fail("bad_input", EMPTY_LETTER);
  }
  const fonts = await loadLetterFonts();
  const shaper = new Shaper(fonts);
  const longest = typed.reduce((most, line) => Math.max(most, line.length), 0);
  if (longest > MAX_PARAGRAPH) return fail("too_large", formatLongParagraph(longest, MAX_PARAGRAPH));
  const lines = breakLines(typed, shaper, pageSize);
  if (lines === null) return fail("too_large", formatLongCluster(MAX_CLUSTER));
  const pages = splitPages(lines, pageSize);
  if (pages.length > MAX_PAGES) {
    return fail("too_large", formatLongLetter(pages.length, MAX_PAGES, "pages"));
  }
  return succeed({
    pages: placePages(pages, fonts, pageSize),
    /**
     * Characters that are not printed as typed, each once, in the order met: those that no font has (drawn as a box),
     * control characters (`U+0007`, left out) and half characters (`U+D83D`, drawn as U+FFFD).
     */
    missing: [...shaper.missing, ...unprintable],
    fonts,
  });
}

/** Breaks the text into the lines of all pages, including blank ones; null when a character has too many parts. */
function breakLines(typed: string[], shaper: Shaper, pageSize: PageSize): Line[] | null {
  const width = ((PAGE_SIZES[pageSize].width - 2 * MARGIN) / FONT_SIZE) * 1000;
  const lines: Line[] = [];
  for (const text of typed) {
    const line = parseLine(text, shaper);
    if (line === null) return null;
    for (const atoms of wrap(line.atoms, width, shaper)) lines.push({ ...line, atoms });
  }
  return lines;
}

/** Splits a letter's lines into pages; no lines give one empty page. */
function splitPages(lines: readonly Line[], pageSize: PageSize): Line[][] {
  const pages: Line[][] = [];
  for (let at = 0; at === 0 || at < lines.length; ) {
    const count = countLines(pageSize, pages.length + 1);
    pages.push(lines.slice(at, at + count));
    at += count;
  }
  return pages;
}

function countLines(pageSize: PageSize, page: number): number {
  const room = PAGE_SIZES[pageSize].height - findTextTop(pageSize, page) - MARGIN;
  // 0.01 pt keeps rounding from losing a line on a page that is filled exactly (US Letter: 45 lines).
  return Math.floor((room + 0.01) / LINE_HEIGHT);
}

function placePages(pages: readonly Line[][], fonts: LetterFonts, pageSize: PageSize) {
  const { width } = PAGE_SIZES[pageSize];
  const descent = findDescent(fonts);
  return pages.map((lines, at) => {
    const top = findTextTop(pageSize, at + 1);
    return lines.map(({ atoms, rightToLeft }, index) => {
      const lineWidth = toPoints(atoms.reduce((sum, atom) => sum + atom.width, 0));
      return {
        left: rightToLeft ? width - MARGIN - lineWidth : MARGIN,
        baseline: top + (index + 1) * LINE_HEIGHT - descent,
        runs: placeTextRuns(atoms),
      };
    });
  });
}

/** Height of the baseline above the bottom of its line, with the type centred in the line. */
function findDescent({ text }: LetterFonts): number {
  const { ascent, descent, unitsPerEm } = text.file;
  const size = FONT_SIZE / unitsPerEm;
  return (LINE_HEIGHT - (ascent - descent) * size) / 2 - descent * size;
}

export function toPoints(thousandths: number): number {
  return (thousandths * FONT_SIZE) / 1000;
}

const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const CONTROLS = /(?!\t)\p{Cc}|[\uFFFE\uFFFF]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * The text's printable lines, without blank lines at the end, and the unprintable characters, as `U+0007`, in the order
 * met. Control characters are left out; a half character (lone surrogate) becomes U+FFFD.
 */
function cleanText(text: string): { lines: string[]; unprintable: string[] } {
  const unprintable = new Set<string>();
  const note = (replacement: string) => (character: string) => {
    unprintable.add(formatCodePoint(character));
    return replacement;
  };
  const lines = text
    .replace(LINE_ENDS, "\n")
    .split("\n")
    .map((line) => line.replace(CONTROLS, note("")).replace(LONE_SURROGATES, note("\uFFFD")));
  while (lines.length > 0 && !/\S/.test(lines[lines.length - 1] ?? "")) lines.pop();
  return { lines, unprintable: [...unprintable] };
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
