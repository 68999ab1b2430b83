import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { type PdfContent, readPdf, toUnread } from "~/ui/pdf/pdf-file";
import type { PreviewState } from "../layout/preview-content";
import { decodeBase64Strict } from "./base64";
import { findKind } from "./kind";
import { MOST_LETTER_PAGES } from "./print-quality";

export const READ_PDF: HeavyJob<Uint8Array, PdfContent> = {
  name: "artwork.pdf",
  run: async (bytes) => readPdf(await import("pdfjs-dist/legacy/build/pdf.mjs"), bytes, MOST_LETTER_PAGES),
  // Its images and streams may unpack to any size.
  isLarge: () => true,
  notDone: "The PDF was not checked.",
};

/**
 * Reads the PDF whose faults {@link listFindings} finds, a letter's or that of a postcard's back, in a thread of its own;
 * null when these fields have none.
 */
export async function readPdfOnServer(
  kind: PreviewState["kind"],
  fields: Readonly<Record<string, unknown>>,
): Promise<PdfContent | null> {
  const value = fields[kind === "letter" ? "file" : "back"];
  const bytes = typeof value === "string" ? decodeBase64Strict(value) : null;
  if (bytes === null || findKind(bytes) !== "pdf") return null;
  const read = await doHeavyWork(READ_PDF, bytes);
  return read.ok ? read.value : toUnread(read.failure.message);
}
