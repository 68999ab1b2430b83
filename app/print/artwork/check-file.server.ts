import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { measurePdf, type PdfSize } from "~/ui/pdf/pdf-file";
import { decodeBase64Strict } from "./base64";
import { checkFile } from "./check-file";
import type { CheckedFile, FileCheck } from "./checked-file";
import { refuseUnprocessed } from "./checked-file";
import { type FileRule, findFileRule } from "./file-rules";
import { FILES_NOT_CHECKED } from "./messages";

/** Above this a crafted file takes longer than a hop to another thread. */
export const LARGE_FILE_BYTES = 100_000;

export const CHECK_FILE: HeavyJob<{ bytes: Uint8Array; rule: FileRule }, FileCheck> = {
  name: "artwork.file",
  run: ({ bytes, rule }) => checkFile(bytes, rule),
  isLarge: ({ bytes }) => bytes.length > LARGE_FILE_BYTES,
  notDone: FILES_NOT_CHECKED,
};

export const MEASURE_PDF: HeavyJob<Uint8Array, PdfSize | null> = {
  name: "artwork.measure",
  run: async (bytes) => measurePdf(await import("pdfjs-dist/legacy/build/pdf.mjs"), new Uint8Array(bytes)),
  // Its streams may unpack to any size.
  isLarge: () => true,
  notDone: FILES_NOT_CHECKED,
};

/**
 * {@link checkFile}, in a thread of its own when the file is large, with the pages of a PDF if they can be measured. A
 * file over the limits of the check is refused.
 */
export async function checkFileOnServer(bytes: Uint8Array, rule: FileRule): Promise<FileCheck> {
  const checked = await doHeavyWork(CHECK_FILE, { bytes, rule });
  if (!checked.ok) return refuseUnprocessed(checked.failure.message);
  const { value } = checked;
  if (!value.ok || value.file.kind !== "pdf") return value;
  const measured = await doHeavyWork(MEASURE_PDF, bytes);
  return { ok: true, file: { ...value.file, ...(measured.ok ? measured.value : {}) } };
}

/** Reads the facts of a request's files by field. Skips URLs and invalid files. */
export async function readFileFacts(
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Record<string, { name: string; facts: CheckedFile }>> {
  const found = await Promise.all(
    Object.entries(fields).map(async ([name, value]) => {
      const rule = findFileRule(path, name);
      const bytes = rule && typeof value === "string" ? decodeBase64Strict(value) : null;
      const check = rule && bytes ? await checkFileOnServer(bytes, rule) : null;
      return check?.ok ? [[name, { name, facts: check.file }] as const] : [];
    }),
  );
  return Object.fromEntries(found.flat());
}
