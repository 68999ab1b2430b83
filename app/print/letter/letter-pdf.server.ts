import { setImmediate } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { EMPTY_LETTER, formatLongCluster, formatLongLetter, formatLongParagraph } from "../messages";
import { wrap } from "./break-lines.server";
import { cleanText } from "./clean-text";
import { EmbeddedFont } from "./embedded-font.server";
import { loadLetterFonts } from "./letter-font.server";
import { placeTextRuns } from "./line.server";
import {
  FONT_SIZE,
  findTextTop,
  LINE_HEIGHT,
  MARGIN,
  MAX_CHARACTERS,
  MAX_CLUSTER,
  MAX_PAGES,
  MAX_PARAGRAPH,
  PAGE_SIZES,
  type PageSize,
  splitPages,
} from "./page";
import { drawTextRun } from "./page-content.server";
import { type Atom, cutBlocks, parseBlock } from "./paragraph.server";
import { type FontName, Shaper } from "./shaper.server";

export interface LetterPdf {
  pdf: Uint8Array;
  pages: number;
  /**
   * Characters that are not printed as typed, each once, in the order met: those that no font has (drawn as a box),
   * control characters (`U+0007`, left out) and half characters (`U+D83D`, drawn as U+FFFD).
   */
  missing: string[];
}

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

interface Line {
  rightToLeft: boolean;
  atoms: Atom[];
}

/**
 * Makes a PDF from a letter's text: 12 pt type with the widths of Arial, 72 pt margins, as many pages as needed, with the
 * address area of the first page left free. The same text and page size always give the same bytes, so that a retry is
 * recognised as the same request. Fails with `bad_input` for an empty text, `too_large` above 200,000
 * characters, 64 pages, 50,000 characters in a paragraph or 100 parts in a character.
 */
export async function renderLetterPdf(
  text: string,
  { pageSize }: { pageSize: PageSize },
): Promise<Outcome<LetterPdf>> {
  if (text.length > MAX_CHARACTERS) {
    return fail("too_large", formatLongLetter(text.length, MAX_CHARACTERS, "characters"));
  }
  const { lines: typed, unprintable } = cleanText(text);
  if (!typed.some((line) => VISIBLE.test(line))) {
    return fail("bad_input", EMPTY_LETTER);
  }
  const shaper = new Shaper(await loadLetterFonts());
  const longest = typed.reduce((most, line) => Math.max(most, line.length), 0);
  if (longest > MAX_PARAGRAPH) return fail("too_large", formatLongParagraph(longest, MAX_PARAGRAPH));
  const lines = await layoutLines(typed, shaper, pageSize);
  if (lines === null) return fail("too_large", formatLongCluster(MAX_CLUSTER));
  const pages = splitPages(lines, pageSize);
  if (pages.length > MAX_PAGES) {
    return fail("too_large", formatLongLetter(pages.length, MAX_PAGES, "pages"));
  }
  const pdf = await drawPages(pages, shaper, pageSize);
  return succeed({ pdf, pages: pages.length, missing: [...shaper.missing, ...unprintable] });
}

/** The lines of all pages, including blank ones; null when a character has too many parts. */
async function layoutLines(typed: string[], shaper: Shaper, pageSize: PageSize): Promise<Line[] | null> {
  const width = ((PAGE_SIZES[pageSize].width - 2 * MARGIN) / FONT_SIZE) * 1000;
  const yieldToEventLoop = createYield();
  const lines: Line[] = [];
  for (const text of typed) {
    const atoms: Atom[] = [];
    let direction: "auto" | "ltr" | "rtl" = "auto";
    for (const blockText of cutBlocks(text)) {
      const block = parseBlock(blockText, direction, shaper);
      if (block === null) return null;
      direction = block.direction;
      for (const atom of block.atoms) atoms.push(atom);
      await yieldToEventLoop();
    }
    for (const line of wrap(atoms, width, shaper)) {
      lines.push({ rightToLeft: direction === "rtl", atoms: line });
    }
    await yieldToEventLoop();
  }
  return lines;
}

/** A function that lets other requests run every 20 ms: a long letter takes a second or more. */
function createYield(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < 20) return;
    await setImmediate();
    last = performance.now();
  };
}

async function drawPages(pages: Line[][], shaper: Shaper, pageSize: PageSize): Promise<Uint8Array> {
  const { width, height } = PAGE_SIZES[pageSize];
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [width, height],
    margin: 0,
    pdfVersion: "1.7",
    // The current time would give the same text different bytes each time.
    info: { CreationDate: new Date(0) },
  });
  const bytes = collect(document);
  const yieldToEventLoop = createYield();
  const fonts = new Map<FontName, EmbeddedFont>();
  const descent = findDescent(shaper);
  for (const [at, lines] of pages.entries()) {
    document.addPage();
    const top = height - findTextTop(pageSize, at + 1);
    const operators: string[] = [];
    for (const [index, line] of lines.entries()) {
      const baseline = top - (index + 1) * LINE_HEIGHT + descent;
      for (const operator of drawLine(line, baseline)) operators.push(operator);
      await yieldToEventLoop();
    }
    // pdfkit turns the y axis to point down; this turns it back.
    document.addContent(`1 0 0 -1 0 ${height} cm\nBT\n${operators.join("\n")}\nET`);
  }
  for (const font of fonts.values()) font.embed();
  document.end();
  return bytes;

  function drawLine(line: Line, baseline: number): string[] {
    const lineWidth = toPoints(line.atoms.reduce((sum, atom) => sum + atom.width, 0));
    const left = line.rightToLeft ? width - MARGIN - lineWidth : MARGIN;
    return placeTextRuns(line.atoms).map((run) => {
      const font = takeFont(run.font);
      document.page.fonts[font.name] = font.reference;
      return drawTextRun(run, font, left + toPoints(run.x), baseline);
    });
  }

  function takeFont(name: FontName): EmbeddedFont {
    let font = fonts.get(name);
    if (!font) {
      font = new EmbeddedFont(document, shaper.fonts[name], `F${fonts.size + 1}`);
      fonts.set(name, font);
    }
    return font;
  }
}

/** Height of the baseline above the bottom of its line, with the type centred in the line. */
function findDescent({ fonts }: Shaper): number {
  const { ascent, descent, unitsPerEm } = fonts.text;
  const size = FONT_SIZE / unitsPerEm;
  return (LINE_HEIGHT - (ascent - descent) * size) / 2 - descent * size;
}

function toPoints(thousandths: number): number {
  return (thousandths * FONT_SIZE) / 1000;
}

function collect(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    document.on("error", reject);
  });
}
