import { FONT_SIZE, findTextTop, LINE_HEIGHT, MARGIN, type PageSize, splitPages } from "../letter/page";
import { type Box, findLetterPage } from "./geometry";
import { fillText, layoutAddress, layoutLines, type TextBlock, type TextStyle } from "./layout";
import { breakLines } from "./measure-text";
import type { PreviewState } from "./preview-content";

/** As the PDF that is made from the text (spec §9 "Text-to-PDF defaults"). */
const LETTER_TYPE: TextStyle = {
  font: "Arial",
  sizePt: FONT_SIZE,
  colour: "black",
  lineHeightPt: LINE_HEIGHT,
};
const WINDOW_INSET_PT = { x: 6, y: 6 };

/** The pages of a letter written as text. */
export interface LetterText {
  /** The lines of each page, joined by line ends; an empty text has one empty page. */
  pages: string[];
  /** Merge variables that nothing fills. */
  unknown: string[];
}

const known = new WeakMap<PreviewState, LetterText>();

/** Breaks a letter's text into pages; once for each state, as forty pages take a while. */
export function layoutLetterText(state: PreviewState): LetterText {
  const found = known.get(state) ?? breakPages(state);
  known.set(state, found);
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

/** Page `number` (from 1) of {@link layoutLetterText}, its lines in their places. */
export function layoutLetterPage(page: string, number: number, home: PreviewState["home"]): TextBlock {
  return layoutLines(page === "" ? [] : page.split("\n"), LETTER_TYPE, findTextBox(home, number));
}

/** The address (lines joined by line ends) as it shows in the envelope's window. */
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
