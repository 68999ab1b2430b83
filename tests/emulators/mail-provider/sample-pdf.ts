import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  degrees,
  PDFDocument,
  type PDFFont,
  type PDFImage,
  type PDFPage,
  rgb,
  StandardFonts,
} from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";
import { findTemplateColour } from "./template-picture";

/** What the provider prints, as far as its sample shows it. */
export interface SamplePdf {
  widthPt: number;
  heightPt: number;
  /** Only for a test: live mail has no word across it. */
  specimen: boolean;
  pages: SamplePage[];
}

/** One side of a postcard or one page of a letter. What has no place of its own is drawn from the top left. */
export interface SamplePage {
  /** Fills the page: a JPEG, a PNG, or the first page of a PDF. */
  artwork?: Buffer | null;
  /** A PDF whose pages are all printed as they are, the first one with the address. */
  document?: Buffer | null;
  address?: string[];
  /** The design of a template, as its picture shows it. On a letter the lines stand below its heading. */
  template?: { id: string; name: string };
  lines?: string[];
  /** The back of a postcard: its message on the left, the address on the right, the stamp above it. */
  back?: { message: string; signature: Buffer | null; address: string[] };
}

const MARGIN = 22;
/** Where the envelope's window is, in points from the top left corner; on A4 it is lower. */
const LETTER_ADDRESS = { x: 58, top: 74, topOfA4: 124, size: 9 };
const A4_HEIGHT = 840;
const INK = rgb(0.12, 0.12, 0.14);
const FAINT = rgb(0.55, 0.55, 0.58);
const FONT_FILE = createRequire(import.meta.url).resolve(
  "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf",
);

/** Draws the sample, with the artwork as far as it can be embedded. */
export async function renderSamplePdf(sample: SamplePdf): Promise<Buffer> {
  try {
    return await drawSample(sample);
  } catch {
    // Some damage shows only when the whole is written.
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
      if (content.address) drawLetterAddress(document.getPage(0), font, content.address);
      continue;
    }
    const page = document.addPage([sample.widthPt, sample.heightPt]);
    if (content.artwork) await drawArtwork(document, page, content.artwork, font);
    if (content.template) drawTemplate(page, font, content.template);
    if (content.lines)
      drawText(page, font, content.lines.join("\n"), {
        x: 36,
        top: content.template ? page.getHeight() * 0.2 : 42,
        width: page.getWidth() - 72,
        size: 11,
      });
    if (content.back) await drawBack(document, page, font, content.back);
  }
  if (document.getPageCount() === 0) document.addPage([sample.widthPt, sample.heightPt]);
  if (sample.specimen) for (const page of document.getPages()) drawSpecimen(page, font);
  return Buffer.from(await document.save());
}

/** The built-in Helvetica knows Western letters only; other text takes a font that knows more, as a subset. */
async function embedFont(document: PDFDocument, sample: SamplePdf): Promise<PDFFont> {
  const text = JSON.stringify(
    sample.pages.map(({ template, lines, address, back }) => [
      template?.name,
      lines,
      address,
      back?.message,
      back?.address,
    ]),
  );
  if (/^[\x20-\x7e\xa0-\xff]*$/.test(text)) return document.embedFont(StandardFonts.Helvetica);
  document.registerFontkit(fontkit as never);
  return document.embedFont(await readFile(FONT_FILE), { subset: true });
}

/** False for what is no PDF. */
async function copyPages(document: PDFDocument, bytes: Buffer): Promise<boolean> {
  try {
    const source = await PDFDocument.load(bytes, { ignoreEncryption: true });
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page);
    return true;
  } catch {
    return false;
  }
}

/** Covers the page, cut at its edges, as it is printed. */
async function drawArtwork(
  document: PDFDocument,
  page: PDFPage,
  bytes: Buffer,
  font: PDFFont,
): Promise<void> {
  const { width, height } = page.getSize();
  const cover = (picture: { width: number; height: number }) => {
    const scale = Math.max(width / picture.width, height / picture.height);
    const size = { width: picture.width * scale, height: picture.height * scale };
    return { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size };
  };
  try {
    if (findKind(bytes) === "pdf") {
      const [first] = await document.embedPdf(bytes, [0]);
      if (first) page.drawPage(first, cover(first));
    } else {
      const picture = await embedPicture(document, bytes);
      page.drawImage(picture, cover(picture));
    }
  } catch {
    const at = { x: 36, top: 42, width: width - 72, size: 11 };
    drawText(page, font, "Artwork that cannot be shown here", at);
  }
}

/** A band with its name, and bars in place of text. On a letter they leave room for the address. */
function drawTemplate(page: PDFPage, font: PDFFont, { id, name }: NonNullable<SamplePage["template"]>): void {
  const { width, height } = page.getSize();
  const isSheet = height > width;
  const band = height * (isSheet ? 0.12 : 0.42);
  const [red = 0, green = 0, blue = 0] = (findTemplateColour(id).match(/[\da-f]{2}/gi) ?? []).map(
    (part) => Number.parseInt(part, 16) / 255,
  );
  page.drawRectangle({ x: 0, y: height - band, width, height: band, color: rgb(red, green, blue) });
  const at = { x: isSheet ? 36 : width * 0.07, y: height - band * 0.65, size: isSheet ? 26 : height * 0.1 };
  const bar = isSheet ? { top: 0.58, step: 0.035, height: 0.009 } : { top: 0.43, step: 0.1, height: 0.03 };
  page.drawText(name, { ...at, font, color: rgb(1, 1, 1) });
  for (const row of [0, 1, 2, 3]) {
    page.drawRectangle({
      x: at.x,
      y: height * (bar.top - row * bar.step),
      width: width * (0.86 - row * 0.075),
      height: height * bar.height,
      color: rgb(0.81, 0.79, 0.75),
    });
  }
}

function drawLetterAddress(page: PDFPage, font: PDFFont, address: string[]): void {
  const { x, top, topOfA4, size } = LETTER_ADDRESS;
  drawText(page, font, address.join("\n"), {
    x,
    top: page.getHeight() > A4_HEIGHT ? topOfA4 : top,
    width: page.getWidth() / 2,
    size,
  });
}

function embedPicture(document: PDFDocument, bytes: Buffer): Promise<PDFImage> {
  return findKind(bytes) === "png" ? document.embedPng(bytes) : document.embedJpg(bytes);
}

async function drawBack(
  document: PDFDocument,
  page: PDFPage,
  font: PDFFont,
  { message, signature, address }: NonNullable<SamplePage["back"]>,
): Promise<void> {
  const { width, height } = page.getSize();
  const half = width / 2;
  page.drawLine({
    start: { x: half, y: MARGIN },
    end: { x: half, y: height - MARGIN },
    thickness: 0.5,
    color: FAINT,
  });
  page.drawRectangle({
    x: width - MARGIN - 44,
    y: height - MARGIN - 52,
    width: 44,
    height: 52,
    borderColor: FAINT,
    borderWidth: 0.7,
  });
  drawText(page, font, "POSTAGE\nPAID", { x: width - MARGIN - 39, top: MARGIN + 18, width: 36, size: 7 });
  drawText(page, font, message, { x: MARGIN, top: MARGIN, width: half - 2 * MARGIN, size: 10 });
  drawText(page, font, address.join("\n"), {
    x: half + MARGIN,
    top: height * 0.5,
    width: half - 2 * MARGIN,
    size: 11,
  });
  const image = signature && (await embedPicture(document, signature).catch(() => null));
  if (!image) return;
  page.drawImage(image, { x: MARGIN, y: MARGIN, width: 130, height: (130 * image.height) / image.width });
}

function drawText(
  page: PDFPage,
  font: PDFFont,
  text: string,
  at: { x: number; top: number; width: number; size: number },
): void {
  if (text === "") return;
  const fits = (part: string) => font.widthOfTextAtSize(part, at.size) <= at.width;
  // An empty line would be left out, and a word that is too long would not be broken.
  page.drawText(
    text.replace(/^$/gm, " ").replace(/\S+/g, (word) => breakWord(word, fits)),
    {
      x: at.x,
      y: page.getHeight() - at.top - at.size,
      size: at.size,
      lineHeight: at.size * 1.35,
      maxWidth: at.width,
      font,
      color: INK,
    },
  );
}

function breakWord(word: string, fits: (part: string) => boolean): string {
  const parts = [""];
  for (const character of word) {
    const part = parts.at(-1) ?? "";
    if (part === "" || fits(part + character)) parts[parts.length - 1] = part + character;
    else parts.push(character);
  }
  return parts.join("\n");
}

function drawSpecimen(page: PDFPage, font: PDFFont): void {
  const { width, height } = page.getSize();
  const size = width / 7;
  const angle = Math.atan2(height, width) * 0.6;
  const length = font.widthOfTextAtSize("SPECIMEN", size);
  page.drawText("SPECIMEN", {
    x: width / 2 - (length / 2) * Math.cos(angle),
    y: height / 2 - (length / 2) * Math.sin(angle) - size / 3,
    size,
    font,
    color: rgb(0.11, 0.31, 0.57),
    opacity: 0.22,
    rotate: degrees((angle * 180) / Math.PI),
  });
}

function findKind(bytes: Buffer): "pdf" | "png" | "jpg" {
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return "pdf";
  return bytes[0] === 0x89 ? "png" : "jpg";
}
