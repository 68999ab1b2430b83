import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";

/** The printed piece, as far as its sample shows it. */
export interface SamplePdf {
  widthPt: number;
  heightPt: number;
  /** True only for a test: live mail has no word across it. */
  specimen: boolean;
  pages: SamplePage[];
}

/** One side of a postcard or one page of a letter. */
export interface SamplePage {
  /** Fills the page: a JPEG, a PNG, or the first page of a PDF. */
  artwork?: Buffer | null;
  /** A PDF whose pages are all printed unchanged, the first one with the address. */
  document?: Buffer | null;
  address?: string[];
  /** The design of a template. On a letter the lines come below its heading. */
  template?: { id: string; name: string };
  lines?: string[];
  /** The back of a postcard: its message on the left, the address on the right. */
  back?: { message: string; signature: Buffer | null; address: string[] };
}

interface Place {
  x: number;
  top: number;
  width: number;
  size: number;
}

const MARGIN = 22;
const A4_HEIGHT = 840;
const INK = rgb(0.12, 0.12, 0.14);
const FONT_FILE = createRequire(import.meta.url).resolve(
  "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
);

/** Draws the sample, with the artwork if it can be embedded. */
export async function renderSamplePdf(sample: SamplePdf): Promise<Buffer> {
  try {
    return await drawSample(sample);
  } catch {
    // Some damage is detected only when the whole document is written.
    const pages = sample.pages.map(({ template, lines = ["Artwork that cannot be shown here"], back }) => {
      if (back) return { back: { ...back, signature: null } };
      return template ? { template } : { lines };
    });
    return drawSample({ ...sample, pages });
  }
}

async function drawSample(sample: SamplePdf): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await embedFont(document, sample);
  for (const content of sample.pages) {
    if (content.document && (await copyPages(document, content.document))) {
      const page = document.getPage(0);
      // The position of the envelope's window; it is lower on A4.
      const top = page.getHeight() > A4_HEIGHT ? 124 : 74;
      drawText(page, font, content.address ?? [], { x: 58, top, width: page.getWidth() / 2, size: 9 });
      continue;
    }
    const page = document.addPage([sample.widthPt, sample.heightPt]);
    const [width, height] = [page.getWidth(), page.getHeight()];
    const whole = { x: 36, top: content.template ? height * 0.2 : 42, width: width - 72, size: 11 };
    if (content.artwork && !(await drawArtwork(document, page, content.artwork)))
      drawText(page, font, ["Artwork that cannot be shown here"], whole);
    if (content.template) drawTemplate(page, font, content.template);
    drawText(page, font, content.lines ?? [], whole);
    if (!content.back) continue;
    const { message, signature, address } = content.back;
    const half = width / 2;
    drawText(page, font, [message], { x: MARGIN, top: MARGIN, width: half - 2 * MARGIN, size: 10 });
    drawText(page, font, address, { x: half + MARGIN, top: height / 2, width: half - 2 * MARGIN, size: 11 });
    const image = signature && (await embedPicture(document, signature).catch(() => null));
    if (image) page.drawImage(image, { x: MARGIN, y: MARGIN, ...image.scaleToFit(130, 60) });
  }
  if (document.getPageCount() === 0) document.addPage([sample.widthPt, sample.heightPt]);
  if (sample.specimen) for (const page of document.getPages()) drawSpecimen(page, font);
  return Buffer.from(await document.save());
}

/**
 * Picks a font: the built-in Helvetica has Western letters only; other text gets a larger font, embedded as a
 * subset.
 */
async function embedFont(document: PDFDocument, { pages }: SamplePdf): Promise<PDFFont> {
  const texts = pages.map(({ template, lines, address, back }) => [
    ...[template?.name, lines, address, back?.message, back?.address],
  ]);
  if (/^[\x20-\x7e\xa0-\xff]*$/.test(JSON.stringify(texts)))
    return document.embedFont(StandardFonts.Helvetica);
  document.registerFontkit(fontkit as never);
  return document.embedFont(await readFile(FONT_FILE), { subset: true });
}

/** Copies the pages of a PDF. False when the bytes are not a PDF. */
async function copyPages(document: PDFDocument, bytes: Buffer): Promise<boolean> {
  try {
    const source = await PDFDocument.load(bytes, { ignoreEncryption: true });
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page);
    return true;
  } catch {
    return false;
  }
}

/** Covers the page, cut at its edges, as in print. False when it cannot be drawn. */
async function drawArtwork(document: PDFDocument, page: PDFPage, bytes: Buffer): Promise<boolean> {
  const { width, height } = page.getSize();
  const cover = (picture: { width: number; height: number }) => {
    const scale = Math.max(width / picture.width, height / picture.height);
    const size = { width: picture.width * scale, height: picture.height * scale };
    return { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size };
  };
  try {
    if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") {
      const [first] = await document.embedPdf(bytes, [0]);
      if (first) page.drawPage(first, cover(first));
    } else {
      const picture = await embedPicture(document, bytes);
      page.drawImage(picture, cover(picture));
    }
    return true;
  } catch {
    return false;
  }
}

/** Draws a band with the template's name. */
function drawTemplate(page: PDFPage, font: PDFFont, { id, name }: NonNullable<SamplePage["template"]>): void {
  const { width, height } = page.getSize();
  const band = height * (height > width ? 0.12 : 0.42);
  const [red = 0, green = 0, blue = 0] = (findTemplateColour(id).match(/[\da-f]{2}/gi) ?? []).map(
    (part) => Number.parseInt(part, 16) / 255,
  );
  page.drawRectangle({ x: 0, y: height - band, width, height: band, color: rgb(red, green, blue) });
  page.drawText(name, { x: 36, y: height - band * 0.65, size: 26, font, color: rgb(1, 1, 1) });
}

function embedPicture(document: PDFDocument, bytes: Buffer) {
  return bytes[0] === 0x89 ? document.embedPng(bytes) : document.embedJpg(bytes);
}

function drawText(page: PDFPage, font: PDFFont, lines: string[], { x, top, width, size }: Place): void {
  if (lines.join("") === "") return;
  const y = page.getHeight() - top - size;
  // An empty line would be left out otherwise.
  const text = lines.join("\n").replace(/^$/gm, " ");
  page.drawText(text, { x, y, size, lineHeight: size * 1.35, maxWidth: width, font, color: INK });
}

function drawSpecimen(page: PDFPage, font: PDFFont): void {
  const { width, height } = page.getSize();
  const look = { size: width / 7, font, color: rgb(0.11, 0.31, 0.57), opacity: 0.22 };
  page.drawText("SPECIMEN", { x: width * 0.2, y: height * 0.3, ...look, rotate: degrees(30) });
}

/** Flat colours for the designs. */
const COLOURS = ["#1d4f91", "#1f7a4a", "#9a6400", "#6d3f8f", "#0f6b78"];

/** The colour of a template's design, e.g. "#1d4f91". */
function findTemplateColour(id: string): string {
  return COLOURS[Number(id) % COLOURS.length] ?? "#1d4f91";
}

/** Draws a picture of a template for lists: its name on a card or a sheet. */
export function drawTemplatePicture(id: string, name: string, size: string): string {
  const sheet = /letter|a4/i.test(size);
  const [width, height] = sheet ? [170, 220] : [240, 160];
  const colour = findTemplateColour(id);
  const text = name.replace(/[<>&"]/g, "");
  const lines = [0, 1, 2, 3].map(
    (at) =>
      `<rect x="16" y="${height * 0.55 + at * 16}" width="${width - 32 - at * 18}" height="5" fill="#cfcac0"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="#fff"/>
<rect width="${width}" height="${height * 0.42}" fill="${colour}"/>
<text x="16" y="${height * 0.27}" font-family="sans-serif" font-size="17" font-weight="600" fill="#fff">${text}</text>
${lines.join("\n")}
</svg>`;
}
