import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { decodeBase64InParts } from "./decode-base64";
import { PDFJS_FILES, PDFJS_PATH } from "./pdfjs-files";

/** A page as a picture: a `data:` address, the only one the page's policy lets an image have. */
export interface PageImage {
  url: string;
  widthPt: number;
  heightPt: number;
}

/** An opened PDF. */
export interface PdfFile {
  pages: number;
  /** Draws a page (from 1), `widthPx` pixels wide. */
  drawPage(number: number, widthPx: number): Promise<PageImage>;
}

/** How much of a file is read, from 0 to 1. */
export type Progress = (share: number) => void;

/** PDFs that stay open, so that turning a piece over does not read them again. */
const MOST_OPEN = 4;
const JPEG_QUALITY = 0.92;
/** Larger than any piece at 300 dpi; what is over it is drawn coarser. */
const MOST_PIXELS_WIDE = 4_000;

let open: { base64: string; file: Promise<PdfFile>; close: () => void }[] = [];

/**
 * Opens a PDF with pdf.js, which is loaded now and not before.
 * @throws Error whose message is a sentence for the reader
 */
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
  // What failed may succeed the next time it is asked for.
  opening.catch(() => {
    open = open.filter((other) => other !== entry);
  });
  if (open.length > MOST_OPEN) open.shift()?.close();
  return entry.file;
}

async function startPdf(base64: string, onProgress: Progress): Promise<PDFDocumentProxy> {
  const [pdfjs, data] = await Promise.all([loadCode(), decode(base64, onProgress)]);
  try {
    return await pdfjs.getDocument({ data, useWasm: false, verbosity: pdfjs.VerbosityLevel.ERRORS }).promise;
  } catch (error) {
    throw new Error(explain(error));
  }
}

type PdfJs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

async function loadCode(): Promise<PdfJs> {
  try {
    const pdfjs: PdfJs = await import(`${PDFJS_PATH}/${PDFJS_FILES.page}`);
    pdfjs.GlobalWorkerOptions.workerSrc = `${PDFJS_PATH}/${PDFJS_FILES.worker}`;
    return pdfjs;
  } catch {
    throw new Error(
      "The part that draws PDFs could not be loaded. Check the connection, then reload the page.",
    );
  }
}

async function decode(base64: string, onProgress: Progress): Promise<Uint8Array> {
  const parts = await decodeBase64InParts(base64, onProgress).catch(() => {
    throw new Error("This PDF cannot be read: its content is damaged.");
  });
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function toPdfFile(document: PDFDocumentProxy): PdfFile {
  return {
    pages: document.numPages,
    async drawPage(number, widthPx) {
      try {
        return await drawPage(document, number, widthPx);
      } catch {
        throw new Error(`Page ${number} of this PDF cannot be drawn.`);
      }
    },
  };
}

async function drawPage(document: PDFDocumentProxy, number: number, widthPx: number): Promise<PageImage> {
  const page = await document.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(widthPx, MOST_PIXELS_WIDE) / natural.width });
  const canvas = window.document.createElement("canvas");
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
  const url = await readDataUrl(canvas);
  page.cleanup();
  return { url, widthPt: natural.width, heightPt: natural.height };
}

function readDataUrl(canvas: HTMLCanvasElement): Promise<string> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.onerror = () => reject(reader.error);
        if (blob) reader.readAsDataURL(blob);
        else reject(new Error("empty canvas"));
      },
      "image/jpeg",
      JPEG_QUALITY,
    );
  });
}

function explain(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return "This PDF is locked with a password, so it can be neither shown nor printed. Save it without one.";
  }
  if (name === "InvalidPDFException") return "This PDF cannot be read: its content is damaged.";
  return "This PDF could not be opened.";
}
