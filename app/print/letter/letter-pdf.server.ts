import { buffer } from "node:stream/consumers";
import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { NO_LETTER_PDF } from "../messages";
import { EmbeddedFont } from "./embedded-font.server";
import {
  isLongLetter,
  type LetterLayout,
  type LetterSource,
  layoutLetter,
  type PlacedLine,
  toPoints,
} from "./letter-layout.server";
import { PAGE_SIZES, type PageSize } from "./page";
import { drawTextRun } from "./page-content.server";
import type { FontName } from "./shaper.server";

export interface LetterPdf {
  pdf: Uint8Array;
  pages: number;
  /** See {@link LetterLayout}. */
  missing: string[];
}

/** {@link makeLetterPdf}, in a thread of its own when the text is long. */
export async function renderLetterPdf(
  text: string,
  { pageSize }: { pageSize: PageSize },
): Promise<Outcome<LetterPdf>> {
  const made = await doHeavyWork(MAKE_LETTER_PDF, { text, pageSize });
  return made.ok ? made.value : made;
}

/**
 * Makes a PDF from a letter's text. The same text and page size always give the same bytes, so that a retry is
 * recognised as the same request. Fails as {@link layoutLetter} does.
 */
export async function makeLetterPdf({ text, pageSize }: LetterSource): Promise<Outcome<LetterPdf>> {
  const layout = await layoutLetter(text, pageSize);
  if (!layout.ok) return layout;
  const { pages, missing } = layout.value;
  return succeed({ pdf: await drawPages(layout.value, pageSize), pages: pages.length, missing });
}

export const MAKE_LETTER_PDF: HeavyJob<LetterSource, Outcome<LetterPdf>> = {
  name: "letter.pdf",
  run: makeLetterPdf,
  isLarge: isLongLetter,
  notDone: NO_LETTER_PDF,
};

async function drawPages({ pages, fonts: files }: LetterLayout, pageSize: PageSize): Promise<Uint8Array> {
  const { width, height } = PAGE_SIZES[pageSize];
  const { default: PDFDocument } = await import("pdfkit");
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [width, height],
    margin: 0,
    pdfVersion: "1.7",
    // The current time would give the same text different bytes each time.
    info: { CreationDate: new Date(0) },
  });
  const fonts = new Map<FontName, EmbeddedFont>();
  for (const lines of pages) {
    document.addPage();
    const operators = lines.flatMap(drawLine);
    // pdfkit turns the y axis to point down; this turns it back.
    document.addContent(`1 0 0 -1 0 ${height} cm\nBT\n${operators.join("\n")}\nET`);
  }
  for (const font of fonts.values()) font.embed();
  document.end();
  return new Uint8Array(await buffer(document));

  function drawLine({ left, baseline, runs }: PlacedLine): string[] {
    return runs.map((run) => {
      const font = takeFont(run.font);
      document.page.fonts[font.name] = font.reference;
      return drawTextRun(run, font, left + toPoints(run.x), height - baseline);
    });
  }

  function takeFont(name: FontName): EmbeddedFont {
    let font = fonts.get(name);
    if (!font) {
      font = new EmbeddedFont(document, files[name], `F${fonts.size + 1}`);
      fonts.set(name, font);
    }
    return font;
  }
}
