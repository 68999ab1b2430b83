import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { decodeBase64InParts } from "./decode-base64";
import { PDFJS_FILES, PDFJS_PATH } from "./pdfjs-files";

/** A page as an image, as a data URL: the content security policy allows no other images. */
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

/** Gets the share of the file that is loaded, 0 to 1. */
export type Progress = (share: number) => void;

/** PDFs that stay open, so that turning a piece over does not load them again. */
const MOST_OPEN = 4;
const JPEG_QUALITY = 0.92;
/** Wider than any piece at 300 dpi; larger pages are drawn at a lower resolution. */
const MOST_PIXELS_WIDE = 4_000;

let open: { base64: string; file: Promise<PdfFile>; close: () => void }[] = [];

/**
 * Opens a PDF with pdf.js, which is loaded on first use.
 * @throws Error whose message is for people
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
    return await pdfjs.getDocument({ data, useWasm: false, verbosity: pdfjs.VerbosityLevel.ERRORS }).promise;
  } catch (error) {
    throw new Error(formatPdfError(error));
  }
}

type PdfJs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

async function loadCode(): Promise<PdfJs> {
  try {
    const pdfjs: PdfJs = await import(/* @vite-ignore */ `${PDFJS_PATH}/${PDFJS_FILES.page}`);
    pdfjs.GlobalWorkerOptions.workerSrc = `${PDFJS_PATH}/${PDFJS_FILES.worker}`;
    return pdfjs;
  } catch {
    throw new Error("The PDF viewer could not be loaded. Check the connection and reload the page.");
  }
}

async function decode(base64: string, onProgress: Progress): Promise<Uint8Array> {
  const parts = await decodeBase64InParts(base64, onProgress).catch(() => {
    throw new Error("This PDF is damaged and cannot be read.");
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
  const url = await toDataUrl(canvas);
  page.cleanup();
  return { url, widthPt: natural.width, heightPt: natural.height };
}

function toDataUrl(canvas: HTMLCanvasElement): Promise<string> {
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

function formatPdfError(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return "This PDF is locked with a password and cannot be printed. Save it without one.";
  }
  if (name === "InvalidPDFException") return "This PDF is damaged and cannot be read.";
  return "This PDF could not be opened.";
}
