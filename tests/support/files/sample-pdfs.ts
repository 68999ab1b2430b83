import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import PdfDocument from "pdfkit";

/** Minimal PDFs with correct offsets, unless a test needs wrong ones. */

export interface PdfPlan {
  /** Objects 1, 2, 3 and so on, without `obj` and `endobj`; the first is the catalogue. */
  objects: string[];
  /** Trailer entries in addition to `Size` and `Root`. */
  trailer?: string;
}

/** Writes a PDF as most programs do: with a plain-text table. */
export function writePdf({ objects, trailer = "" }: PdfPlan, start = "%PDF-1.4\n"): Uint8Array {
  const { text, offsets } = writeObjects(start, objects);
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return latin1(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** Writes a PDF as newer programs do: the objects in one compressed stream and the table in another. */
export function writeCompressedPdf({ objects, trailer = "" }: PdfPlan, start = "%PDF-1.5\n"): Uint8Array {
  const container = objects.length + 1;
  const table = container + 1;
  let at = 0;
  const places = objects.map((object, index) => {
    const place = `${index + 1} ${at}`;
    at += object.length + 1;
    return place;
  });
  const head = `${places.join(" ")}\n`;
  const packed = deflateSync(latin1(`${head}${objects.join("\n")}\n`));
  const containerAt = start.length;
  const body = `${start}${container} 0 obj\n<< /Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString("latin1")}\nendstream\nendobj\n`;
  const rows = [
    [0, 0, 0xffff],
    ...objects.map((_, index) => [2, container, index]),
    [1, containerAt, 0],
    [1, body.length, 0],
  ].map(([type = 0, second = 0, third = 0]) =>
    Buffer.from([type, second >> 16, second >> 8, second, third >> 8, third]),
  );
  const packedRows = deflateSync(Buffer.concat(rows));
  return latin1(
    `${body}${table} 0 obj\n<< /Type /XRef /Size ${table + 1} /W [1 3 2] /Root 1 0 R ${trailer} /Filter /FlateDecode /Length ${packedRows.length} >>\nstream\n${packedRows.toString("latin1")}\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

/**
 * Appends an incremental update to a PDF: the objects by number, and a section that points back.
 * @param earlier from {@link writePdf}
 */
export function updatePdf(earlier: Uint8Array, changed: Record<number, string>, trailer = ""): Uint8Array {
  const before = Buffer.from(earlier).toString("latin1");
  const previous = before.match(/startxref\n(\d+)\n%%EOF\n$/)?.[1];
  let text = before;
  let table = "xref\n";
  for (const [number, object] of Object.entries(changed)) {
    table += `${number} 1\n${String(text.length).padStart(10, "0")} 00000 n \n`;
    text += `${number} 0 obj\n${object}\nendobj\n`;
  }
  return latin1(
    `${text}${table}trailer\n<< /Size 9 /Root 1 0 R /Prev ${previous} ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** Empty pages of one size; `page` adds entries to each page, `tree` to their parent. */
export function planPages(count: number, page = "/MediaBox [0 0 449.28 305.28]", tree = ""): PdfPlan {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(" ");
  return {
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Count ${count} /Kids [${kids}] ${tree} >>`,
      ...Array<string>(count).fill(`<< /Type /Page /Parent 2 0 R ${page} >>`),
    ],
  };
}

/** Draws a PDF with pdfkit, with passwords if the options have them. */
export async function drawPdf(options: PDFKit.PDFDocumentOptions, pages = 1): Promise<Uint8Array> {
  const document = new PdfDocument({ ...options, autoFirstPage: false });
  for (let page = 1; page <= pages; page++) document.addPage().text(`Page ${page}`);
  document.end();
  return buffer(document);
}

export function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function writeObjects(start: string, objects: string[]): { text: string; offsets: number[] } {
  const parts = [start];
  const offsets: number[] = [];
  let at = start.length;
  objects.forEach((object, index) => {
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(at);
    parts.push(part);
    at += part.length;
  });
  return { text: parts.join(""), offsets };
}
