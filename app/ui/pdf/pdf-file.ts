import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { decodeBase64InParts, readDataUrl } from "./base64";

/** A page as an image, as a data URL: the content security policy allows no other images. */
export type PageImage = { url: string; widthPt: number; heightPt: number };

export interface DrawnPage extends PageImage {
  number: number;
}

export type PdfFile = ReturnType<typeof toPdfFile>;

export interface PdfSize {
  pages: number;
  /** Size of the first page as shown, in points (1/72 inch). */
  pageSizePt: { width: number; height: number };
}

type Box = { x: number; y: number; width: number; height: number };

/** Content of a page, in points from its top left corner. */
export interface PdfPageContent {
  width: number;
  height: number;
  texts: (Box & { text: string })[];
  /** Null for a page that was not drawn. */
  ink: Ink | null;
}

/** A page at 72 dpi; `dark` has a 1 for each pixel with ink, row by row. */
export type Ink = { width: number; height: number; dark: Uint8Array };

export interface PdfContent {
  /** Why the PDF could not be read, for people; null when it was read. */
  unread: string | null;
  pages: PdfPageContent[];
  total: number;
  /** Typefaces that are not in the file and that the printer replaces. */
  missingFonts: string[];
  /** True for Type 3 typefaces, which printers rasterise coarsely or refuse. */
  hasType3: boolean;
}

/** Receives the loaded share of the file, 0 to 1. */
export type Progress = (share: number) => void;

/** PDFs that stay open, so that turning a piece over does not reload them. */
const MOST_OPEN = 4;
const JPEG_QUALITY = 0.92;
/** Wider than any piece at 300 dpi. Larger pages are drawn at a lower resolution. */
const MOST_PIXELS_WIDE = 4_000;
/** A colour channel below this counts as ink. */
const INK_BELOW = 200;
/** Larger images are left out of the ink: they would take gigabytes. */
const MOST_IMAGE_PIXELS = 40_000_000;

let open: { base64: string; file: Promise<PdfFile>; close: () => void }[] = [];

/** Opens a PDF with pdf.js, which is loaded on first use. @throws Error whose message is for people */
export function openPdf(base64: string, onProgress: Progress): Promise<PdfFile> {
  const known = open.find((entry) => entry.base64 === base64);
  if (known) return known.file;
  const opening = startPdf(base64, onProgress);
  const entry = {
    base64,
    file: opening.then(toPdfFile),
    close: () => void opening.then((document) => document.loadingTask.destroy()).catch(() => {}),
  };
  open.push(entry);
  // A failed load may succeed next time.
  opening.catch(() => {
    open = open.filter((other) => other !== entry);
  });
  if (open.length > MOST_OPEN) open.shift()?.close();
  return entry.file;
}

async function startPdf(base64: string, onProgress: Progress): Promise<PDFDocumentProxy> {
  const [pdfjs, data] = await Promise.all([loadCode(), decode(base64, onProgress)]);
  try {
    return await pdfjs.getDocument({ data, ...options(pdfjs) }).promise;
  } catch (error) {
    throw new Error(formatPdfError(error));
  }
}

function options(pdfjs: PdfJs) {
  return { useWasm: false, verbosity: pdfjs.VerbosityLevel.ERRORS, maxImageSize: MOST_IMAGE_PIXELS };
}

/** Reads the content of a PDF of which nothing is shown. */
export function readPdf(pdfjs: PdfJs, data: Uint8Array, mostPages: number): Promise<PdfContent> {
  const read = readOnce(pdfjs, data, (document) => inspect(document, mostPages));
  return read.catch((error) => toUnread(formatPdfError(error)));
}

/** Measures a PDF of which nothing is shown; null for one that cannot be read. */
export function measurePdf(pdfjs: PdfJs, data: Uint8Array): Promise<PdfSize | null> {
  return readOnce(pdfjs, data, measure).catch(() => null);
}

async function readOnce<T>(pdfjs: PdfJs, data: Uint8Array, read: (pdf: PDFDocumentProxy) => Promise<T>) {
  const loading = pdfjs.getDocument({ data, ...options(pdfjs) });
  try {
    return await read(await loading.promise);
  } finally {
    await loading.destroy();
  }
}

async function measure(document: PDFDocumentProxy): Promise<PdfSize> {
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
  return { pages: document.numPages, pageSizePt: { width, height } };
}

export function toUnread(reason: string): PdfContent {
  return { unread: reason, pages: [], total: 0, missingFonts: [], hasType3: false };
}

type PdfJs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

/** The build copies both files unchanged: they are minified, and page and worker must have the same version. */
async function loadCode(): Promise<PdfJs> {
  try {
    const { href } = new URL("pdfjs-dist/legacy/build/pdf.min.mjs", import.meta.url);
    const worker = new URL("pdfjs-dist/legacy/build/pdf.worker.min.mjs", import.meta.url);
    const pdfjs: PdfJs = await import(/* @vite-ignore */ href);
    pdfjs.GlobalWorkerOptions.workerSrc = worker.href;
    return pdfjs;
  } catch {
    throw new Error("The PDF viewer could not be loaded. Check the connection and reload the page.");
  }
}

async function decode(base64: string, onProgress: Progress): Promise<Uint8Array> {
  const parts = await decodeBase64InParts(base64, onProgress).catch(() => {
    throw new Error("This PDF is damaged and cannot be read.");
  });
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toPdfFile(document: PDFDocumentProxy) {
  return {
    pages: document.numPages,
    /** Draws a page (from 1), `widthPx` pixels wide. */
    drawPage: (number: number, widthPx: number) =>
      drawPage(document, number, widthPx).catch(() => {
        throw new Error(`Page ${number} of this PDF cannot be drawn.`);
      }),
    measure: () => measure(document),
    /** Reads the texts and typefaces of up to `most` pages, and the ink of the first one. */
    inspect: (most: number) => inspect(document, most),
  };
}

async function inspect(document: PDFDocumentProxy, most: number): Promise<PdfContent> {
  const content: PdfContent = { ...toUnread(""), unread: null, total: document.numPages };
  for (let number = 1; number <= Math.min(document.numPages, most); number++) {
    const page = await document.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    // Loads the page's typefaces.
    await page.getOperatorList();
    const texts = items.flatMap((item) => {
      if (!("str" in item) || item.str.trim() === "") return [];
      const font = page.commonObjs.has(item.fontName) ? page.commonObjs.get(item.fontName) : null;
      if (font?.isType3Font) content.hasType3 = true;
      else if (font?.missingFile && !content.missingFonts.includes(font.name)) {
        content.missingFonts.push(font.name);
      }
      return [{ text: item.str, ...placeText(transform, item.transform, item.width) }];
    });
    const ink = number === 1 ? await readInk(page, document.canvasFactory as CanvasFactory) : null;
    content.pages.push({ width, height, texts, ink });
  }
  return content;
}

/** Computes the box around a text, also a rotated one. Matrices as in PDF: a b c d e f. */
function placeText(view: number[], text: number[], length: number): Box {
  const [a, b, c, d, e, f] = multiply(view, text);
  const along = Math.hypot(a, b) || 1;
  const [dx, dy] = [(a / along) * length, (b / along) * length];
  const xs = [e, e + dx, e + c, e + dx + c];
  const ys = [f, f + dy, f + d, f + dy + d];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function multiply(one: number[], other: number[]): [number, number, number, number, number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = one;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = other;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Canvas factory of pdf.js, for browsers or Node. */
interface CanvasFactory {
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D };
}

/** Draws a page at 72 dpi and reads where it has ink. */
async function readInk(page: PDFPageProxy, factory: CanvasFactory): Promise<Ink> {
  const viewport = page.getViewport({ scale: 1 });
  const toSide = (length: number) => Math.max(1, Math.min(Math.round(length), MOST_PIXELS_WIDE));
  const [width, height] = [toSide(viewport.width), toSide(viewport.height)];
  const { canvas, context } = factory.create(width, height);
  await page.render({ canvas, viewport }).promise;
  const { data } = context.getImageData(0, 0, width, height);
  const dark = new Uint8Array(width * height);
  for (let at = 0; at < dark.length; at++) {
    const channel = (offset: number) => data[at * 4 + offset] ?? 0;
    dark[at] = channel(3) > 0 && Math.min(channel(0), channel(1), channel(2)) < INK_BELOW ? 1 : 0;
  }
  return { width, height, dark };
}

async function drawPage(document: PDFDocumentProxy, number: number, widthPx: number): Promise<PageImage> {
  const page = await document.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(widthPx, MOST_PIXELS_WIDE) / natural.width });
  const canvas = window.document.createElement("canvas");
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
  const url = await toDataUrl(canvas);
  page.cleanup();
  return { url, widthPt: natural.width, heightPt: natural.height };
}

async function toDataUrl(canvas: HTMLCanvasElement): Promise<string> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY);
  });
  if (!blob) throw new Error("empty canvas");
  return readDataUrl(blob);
}

function formatPdfError(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return "This PDF is locked with a password and cannot be printed. Save it without one.";
  }
  if (name === "InvalidPDFException") return "This PDF is damaged and cannot be read.";
  return "This PDF could not be opened.";
}
