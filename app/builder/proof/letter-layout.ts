import { countLinesPerPage, FONT_SIZE, LINE_HEIGHT, MARGIN } from "~/sending/letter-pdf/page";
import { type Box, findLetterPage } from "./geometry";
import { layoutAddress, setLines, type TextBlock, type Type } from "./layout";
import { fillVariables } from "./merge";
import { breakLines, findTypeface } from "./set-text";
import type { ProofState } from "./state";

/** As the PDF that is made from the text (spec §9 "Text-to-PDF defaults"). */
const LETTER_TYPE: Type = {
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
  /** How many lines of the first page run into the address area. */
  covered: number;
}

const known = new WeakMap<ProofState, LetterText>();

/** Breaks a letter's text into pages; once for each state, as forty pages take a while. */
export function layoutLetterText(state: ProofState): LetterText {
  const found = known.get(state) ?? breakPages(state);
  known.set(state, found);
  return found;
}

function breakPages({ home, text, recipient, variables }: ProofState): LetterText {
  const box = findTextBox(home);
  const merged = fillVariables(text, recipient, variables);
  const lines = breakLines(LETTER_TYPE.font, LETTER_TYPE.sizePt, merged.text.trimEnd(), box.width);
  const perPage = countLinesPerPage(home === "US" ? "US-LETTER" : "A4");
  const pages: string[] = [];
  for (let at = 0; at === 0 || at < lines.length; at += perPage) {
    pages.push(lines.slice(at, at + perPage).join("\n"));
  }
  return { pages, unknown: merged.unknown, covered: countCovered(pages[0] ?? "", home) };
}

/** One page of {@link layoutLetterText}, its lines in their places. */
export function setLetterPage(page: string, home: ProofState["home"]): TextBlock {
  return setLines(page === "" ? [] : page.split("\n"), LETTER_TYPE, findTextBox(home));
}

/** The address (lines joined by line ends) as it shows in the envelope's window. */
export function layoutLetterAddress(address: string, home: ProofState["home"]): TextBlock {
  return layoutAddress(address, findLetterPage(home).window, WINDOW_INSET_PT);
}

function findTextBox(home: ProofState["home"]): Box {
  const { trim } = findLetterPage(home);
  return {
    x: MARGIN,
    y: MARGIN,
    width: trim.width - 2 * MARGIN,
    height: trim.height - 2 * MARGIN,
  };
}

/** Lines that are not blank and share the window's height. */
function countCovered(page: string, home: ProofState["home"]): number {
  const { window } = findLetterPage(home);
  const { ascent, descent } = findTypeface(LETTER_TYPE.font);
  return setLetterPage(page, home).lines.filter(
    (line) =>
      line.text.trim() !== "" &&
      line.baseline - ascent * LETTER_TYPE.sizePt < window.y + window.height &&
      line.baseline + descent * LETTER_TYPE.sizePt > window.y,
  ).length;
}
