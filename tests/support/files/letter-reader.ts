import { getDocument, OPS, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The content that PDF.js finds on a page. Lengths are in points from the left and the bottom of the page. */
export interface ReadPage {
  width: number;
  height: number;
  /** Non-empty pieces of text in reading order. */
  pieces: { text: string; left: number; right: number; baseline: number }[];
  /** All of the text, with a line break after each line. */
  text: string;
}

export function readLetter(pdf: Uint8Array): Promise<ReadPage[]> {
  return readPages(pdf, async (page) => {
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent({ disableNormalization: true });
    const pieces: ReadPage["pieces"] = [];
    let text = "";
    for (const item of items) {
      if (!("str" in item)) continue;
      text += item.hasEOL ? `${item.str}\n` : item.str;
      const [left, baseline] = [Number(item.transform[4]), Number(item.transform[5])];
      if (/[^\s\p{Cf}]/u.test(item.str))
        pieces.push({ text: item.str, left, right: left + item.width, baseline });
    }
    return { width, height, pieces, text };
  });
}

/** A glyph as PDF.js would draw it, in points from the left and the bottom of the page. */
export interface ReadGlyph {
  left: number;
  right: number;
  baseline: number;
  text: string;
}

/** The glyphs of each page that have a width, in drawing order, each with all of its text. */
export function readGlyphs(pdf: Uint8Array): Promise<ReadGlyph[][]> {
  return readPages(pdf, async (page) => {
    const { fnArray, argsArray } = await page.getOperatorList();
    return fnArray.length === 0 ? [] : followPen(fnArray, argsArray);
  });
}

async function readPages<T>(pdf: Uint8Array, read: (page: PDFPageProxy) => Promise<T>): Promise<T[]> {
  const loading = getDocument({ data: pdf.slice(), verbosity: 0 });
  const document = await loading.promise;
  const pages: T[] = [];
  for (let number = 1; number <= document.numPages; number++)
    pages.push(await read(await document.getPage(number)));
  await loading.destroy();
  return pages;
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * Follows the pen: our letters move it with a text matrix per run, and inside a run only by widths and corrections.
 */
function followPen(operators: number[], values: unknown[][]): ReadGlyph[] {
  const glyphs: ReadGlyph[] = [];
  let before = "";
  const pen = { x: 0, baseline: 0, size: 0 };
  for (const [at, operator] of operators.entries()) {
    if (operator === OPS.setFont) pen.size = values[at]?.[1] as number;
    if (operator === OPS.setTextMatrix) {
      const matrix = values[at]?.[0] as Record<number, number>;
      pen.x = matrix[4] ?? 0;
      pen.baseline = matrix[5] ?? 0;
    }
    if (operator !== OPS.showText) continue;
    const steps = values[at]?.[0] as (number | { unicode: string; width: number })[];
    for (const step of steps) {
      const advance = ((typeof step === "number" ? -step : step.width) * pen.size) / 1000;
      if (typeof step !== "number" && advance > 0.1) {
        const text = before + step.unicode;
        glyphs.push({ left: pen.x, right: pen.x + advance, baseline: pen.baseline, text });
        before = "";
      } else if (typeof step !== "number" && !/^\p{M}/u.test(step.unicode)) {
        // Text without width belongs to a ligature: right-to-left to the next glyph, else to the last one.
        const last = glyphs.at(-1);
        if (RIGHT_TO_LEFT.test(step.unicode)) before += step.unicode;
        else if (last) last.text += step.unicode;
      }
      pen.x += advance;
    }
  }
  return glyphs;
}
