import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { MOST_LETTER_PAGES } from "../artwork/print-quality";
import {
  isLongLetter,
  type LetterSource,
  layoutLetter,
  type PlacedLine,
  toPoints,
  VISIBLE,
} from "./letter-layout.server";
import type { TextRun } from "./line.server";
import { type DrawnText, type LetterDrawing, type PageSize, round } from "./page";

/** Glyph for a character that no font has. */
const BOX = "\u25A1";

/** {@link drawPages}, in a thread of its own when the text is long. */
export async function drawLetter(text: string, pageSize: PageSize): Promise<Outcome<LetterDrawing>> {
  const drawn = await doHeavyWork(DRAW_LETTER, { text, pageSize });
  return drawn.ok ? drawn.value : drawn;
}

export const DRAW_LETTER: HeavyJob<LetterSource, Outcome<LetterDrawing>> = {
  name: "letter.draw",
  run: drawPages,
  isLarge: isLongLetter,
  notDone: "The letter was not laid out.",
};

/** Draws the lines of a letter for its preview, from the layout that its PDF is made of. Fails as {@link layoutLetter} does. */
async function drawPages({ text, pageSize }: LetterSource): Promise<Outcome<LetterDrawing>> {
  const layout = await layoutLetter(text, pageSize);
  if (!layout.ok) return layout;
  const { pages, missing } = layout.value;
  const boxed = new Set(missing);
  return succeed({
    pages: pages.slice(0, MOST_LETTER_PAGES).map((lines) => lines.flatMap((line) => drawLine(line, boxed))),
    total: pages.length,
    missing,
  });
}

function drawLine({ left, baseline, runs }: PlacedLine, boxed: ReadonlySet<string>): DrawnText[] {
  return runs.flatMap((run) =>
    cutAtTabs(run.parts)
      .map((parts) => ({
        x: round(
          left + toPoints(parts.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY)),
        ),
        baseline: round(baseline),
        width: round(toPoints(parts.reduce((sum, { width }) => sum + width, 0))),
        text: boxMissing(parts.map(({ text }) => text).join(""), boxed),
        rightToLeft: run.level % 2 === 1,
      }))
      .filter(({ text }) => VISIBLE.test(text)),
  );
}

/** Splits at tabs, because a browser shows a tab as a space. */
function cutAtTabs(parts: TextRun["parts"]): TextRun["parts"][] {
  const pieces: TextRun["parts"][] = [[]];
  for (const part of parts) {
    if (part.kind === "tab") pieces.push([]);
    else pieces.at(-1)?.push(part);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** Replaces missing characters. A letter and its marks share one box, as in the PDF. */
function boxMissing(text: string, boxed: ReadonlySet<string>): string {
  if (boxed.size === 0) return text;
  return Array.from(text, (character) => (boxed.has(character) ? BOX : character))
    .join("")
    .replace(/\u25A1\p{M}+/gu, BOX);
}
