import { FONT_SIZE, findTextTop, LINE_HEIGHT, MARGIN, type PageSize, splitPages } from "../letter/page";
import { type Box, findLetterPage } from "./geometry";
import { fillText, layoutAddress, layoutLines, type TextBlock, type TextStyle } from "./layout";
import { breakLines } from "./measure-text";
import type { PreviewState } from "./preview-content";

/** The same style as in the PDF that is made from the text. */
const LETTER_TYPE: TextStyle = {
  font: "Arial",
  sizePt: FONT_SIZE,
  colour: "black",
  lineHeightPt: LINE_HEIGHT,
};
const WINDOW_INSET_PT = { x: 6, y: 6 };

/** The pages of a letter written as text. */
export interface LetterText {
  /** The lines of each page, joined by line ends. An empty text has one empty page. */
  pages: string[];
  /** Merge variables without a value. */
  unknown: string[];
}

const cache = new WeakMap<PreviewState, LetterText>();

/** Breaks a letter's text into pages. Cached per state, because forty pages take a while. */
export function layoutLetterText(state: PreviewState): LetterText {
  const found = cache.get(state) ?? breakPages(state);
  cache.set(state, found);
  return found;
}

function breakPages(state: PreviewState): LetterText {
  const { home } = state;
  const box = findTextBox(home, 1);
  const merged = fillText(state);
  const lines = breakLines(LETTER_TYPE.font, LETTER_TYPE.sizePt, merged.text.trimEnd(), box.width);
  const pages = splitPages(lines, findPageSize(home)).map((page) => page.join("\n"));
  return { pages, unknown: merged.unknown };
}

/** Places the lines of page `number` (from 1) of {@link layoutLetterText}. */
export function layoutLetterPage(page: string, number: number, home: PreviewState["home"]): TextBlock {
  return layoutLines(page === "" ? [] : page.split("\n"), LETTER_TYPE, findTextBox(home, number));
}

/** Places the address (lines joined by line ends) in the envelope's window. */
export function layoutLetterAddress(address: string, home: PreviewState["home"]): TextBlock {
  return layoutAddress(address, findLetterPage(home).window, WINDOW_INSET_PT);
}

function findTextBox(home: PreviewState["home"], page: number): Box {
  const { trim } = findLetterPage(home);
  const top = findTextTop(findPageSize(home), page);
  return { x: MARGIN, y: top, width: trim.width - 2 * MARGIN, height: trim.height - top - MARGIN };
}

function findPageSize(home: PreviewState["home"]): PageSize {
  return home === "US" ? "US-LETTER" : "A4";
}
