import { type PdfFacts, type Refusal, refuseCutOff, refuseUnprocessed } from "./checked-file";
import { ENCRYPTED_PDF, UNREADABLE_PDF } from "./messages";
import { type OpenedPdf, openPdf, parseLinearizedPageCount, parseObject } from "./parse-pdf-sections";
import type { PdfDictionary, PdfValue } from "./parse-pdf-syntax";

const TREE_DEPTH_LIMIT = 32;
/** A page takes at least this many bytes, so a page count above that is wrong. */
const LEAST_BYTES_PER_PAGE = 10;

/**
 * Page count and page size of a PDF, without unpacking anything. Refuses PDFs that are cut off, have no trailer or are
 * encrypted. Count and size stay unknown when they are in compressed streams or not where the file says.
 * @param bytes begin with the PDF header
 */
export function parsePdf(bytes: Uint8Array): PdfFacts | Refusal {
  const pdf = openPdf(bytes);
  if (!pdf) return refuseCutOff();
  const trailer = pdf.sections[0]?.trailer;
  if (!trailer?.has("Root")) {
    return refuseUnprocessed(UNREADABLE_PDF);
  }
  if ((trailer.get("Encrypt") ?? null) !== null) {
    return refuseUnprocessed(ENCRYPTED_PDF);
  }
  if (pdf.sections.every(({ ranges }) => ranges !== null)) return parsePageTree(pdf, trailer);
  return parsePageCount(pdf, parseLinearizedPageCount(pdf));
}

function parsePageTree(pdf: OpenedPdf, trailer: PdfDictionary): PdfFacts {
  const root = follow(pdf, trailer.get("Root"));
  let node = root instanceof Map ? follow(pdf, root.get("Pages")) : undefined;
  if (!(node instanceof Map)) return {};
  const facts = parsePageCount(pdf, follow(pdf, node.get("Count")));
  /** Values that a page inherits from the nodes above it. */
  const inherited: PdfDictionary = new Map();
  for (let depth = 0; node instanceof Map && depth < TREE_DEPTH_LIMIT; depth++) {
    for (const name of ["MediaBox", "CropBox", "Rotate"]) {
      const value = follow(pdf, node.get(name));
      if (value !== undefined && value !== null) inherited.set(name, value);
    }
    const kids: PdfValue | undefined = follow(pdf, node.get("Kids"));
    if (!Array.isArray(kids)) {
      const size = measurePage(inherited, follow(pdf, node.get("UserUnit")));
      return size ? { ...facts, pageSizePt: size } : facts;
    }
    node = follow(pdf, kids[0]);
  }
  return facts;
}

function parsePageCount(pdf: OpenedPdf, pages: PdfValue | undefined): PdfFacts {
  const most = pdf.bytes.length / LEAST_BYTES_PER_PAGE;
  return Number.isInteger(pages) && Number(pages) >= 1 && Number(pages) <= most
    ? { pages: Number(pages) }
    : {};
}

/** Measures the part that PDF viewers show, upright: the crop box within the media box, in points. */
function measurePage(page: PdfDictionary, userUnit: PdfValue | undefined): PdfFacts["pageSizePt"] | null {
  const media = parseBox(page.get("MediaBox"));
  if (!media) return null;
  const crop = parseBox(page.get("CropBox")) ?? media;
  const overlap = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  };
  const box = overlap.left < overlap.right && overlap.bottom < overlap.top ? overlap : media;
  const unit = typeof userUnit === "number" && userUnit > 0 ? userUnit : 1;
  const width = round((box.right - box.left) * unit);
  const height = round((box.top - box.bottom) * unit);
  if (!(width > 0 && height > 0)) return null;
  const turn = page.get("Rotate");
  const sideways = typeof turn === "number" && Math.abs(turn % 180) === 90;
  return sideways ? { width: height, height: width } : { width, height };
}

function parseBox(value: PdfValue | undefined) {
  if (!Array.isArray(value) || value.length !== 4 || !value.every((item) => typeof item === "number"))
    return null;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = value;
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  };
}

/** To a hundredth of a point. */
function round(points: number): number {
  return Math.round(points * 100) / 100;
}

/** The value itself, or the object that it refers to. */
function follow(pdf: OpenedPdf, value: PdfValue | undefined): PdfValue | undefined {
  const isReference = typeof value === "object" && value !== null && "objectNumber" in value;
  return isReference ? parseObject(pdf, value.objectNumber) : value;
}
