import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What PDF.js finds on a page. Lengths are points, from the left and from the bottom of the page. */
export interface ReadPage {
  width: number;
  height: number;
  /** Pieces of text with something in them, in reading order. */
  pieces: { text: string; left: number; right: number; baseline: number }[];
  /** All of the text, with a line break after each line. */
  text: string;
}

export async function readLetter(pdf: Uint8Array): Promise<ReadPage[]> {
  const loading = getDocument({ data: pdf.slice(), verbosity: 0 });
  const document = await loading.promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
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
    pages.push({ width, height, pieces, text });
  }
  await loading.destroy();
  return pages;
}
