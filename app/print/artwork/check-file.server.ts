import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import type { Outcome } from "~/platform/outcome";
import { measurePdf, type PdfContent, type PdfSize, readPdf, toUnread } from "~/ui/pdf/pdf-file";
import type { PreviewState } from "../layout/preview-content";
import { checkFile, findKind } from "./check-file";
import {
  type FileCheck,
  type FileRule,
  findFileRule,
  findSizeProblem,
  findTotalProblem,
  refuseUnprocessed,
} from "./file-rules";
import { formatFieldSpelling, NOT_A_FILE } from "./messages";
import { MOST_LETTER_PAGES } from "./print-quality";

/** For a check that was over its limits of time or memory. */
const FILES_NOT_CHECKED = "The files were not checked.";
/** Above this a crafted file takes longer than a hop to another thread. */
const LARGE_FILE_BYTES = 100_000;

type Fields = Readonly<Record<string, unknown>>;

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

/** Checks a file in a thread if it is large, and measures the pages of a PDF. Refuses a file over the limits of the check. */
export async function checkFileOnServer(bytes: Uint8Array, rule: FileRule): Promise<FileCheck> {
  const checked = await doHeavyWork(CHECK_FILE, { bytes, rule });
  if (!checked.ok) return refuseUnprocessed(checked.failure.message);
  const { value } = checked;
  if (!value.ok || value.file.kind !== "pdf") return value;
  const measured = await doHeavyWork(MEASURE_PDF, bytes);
  return { ok: true, file: { ...value.file, ...(measured.ok ? measured.value : {}) } };
}

/**
 * Decodes base64 (RFC 4648 section 4); null for anything else. Strict (no `data:`, line breaks, URL alphabet or missing padding), because the
 * same text is sent and the provider's decoder may be more lenient.
 */
export function decodeBase64Strict(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return text !== "" && bytes.toString("base64") === text ? new Uint8Array(bytes) : null;
}

/** Reads the facts of a request's files by field. Skips URLs and invalid files. */
export async function readFileFacts(path: string, fields: Fields) {
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

/** A file field that must not be sent, and the sentences that say why. */
export type FieldProblem = { field: string; message: string };

const ADDRESS_LIMIT_CHARS = 2_048;

/** Checks the files of a request in a thread if they are large. @param path such as `postcards/create` */
export async function checkFieldsOnServer(path: string, fields: Fields): Promise<Outcome<FieldProblem[]>> {
  const files = Object.fromEntries(
    Object.entries(fields).filter(([name]) => findFileRule(path, spellAsPhp(name))),
  );
  return doHeavyWork(CHECK_FIELDS, { path, fields: files });
}

export const CHECK_FIELDS: HeavyJob<{ path: string; fields: Fields }, FieldProblem[]> = {
  name: "artwork.fields",
  run: checkFields,
  isLarge: ({ fields }) =>
    Object.values(fields).some((value) => typeof value === "string" && value.length > LARGE_FILE_BYTES),
  notDone: FILES_NOT_CHECKED,
};

/**
 * Checks the files of a letter or postcard. An http(s) URL passes and is never fetched here, so that no one can make this server call
 * an address: the provider downloads it. Anything else must be strict base64 of a file that passes its field's rule.
 */
function checkFields({ path, fields }: { path: string; fields: Fields }): FieldProblem[] {
  const sizes: number[] = [];
  return Object.keys(fields).flatMap((name) => {
    const field = spellAsPhp(name);
    const rule = findFileRule(path, field);
    if (!rule) return [];
    const messages = name === field ? checkValue(fields[name], rule, sizes) : [formatFieldSpelling(field)];
    return messages.length > 0 ? [{ field, message: `${messages.join(". ")}.` }] : [];
  });
}

function checkValue(value: unknown, rule: FileRule, sizes: number[]): string[] {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "string") return [NOT_A_FILE];
  if (isWebAddress(value)) return [];
  // The least that a text of this length can hold.
  const tooLarge = findSizeProblem(Math.ceil(value.length / 4) * 3 - 2);
  if (tooLarge !== null) return [tooLarge];
  const bytes = decodeBase64Strict(value);
  if (bytes === null) return [NOT_A_FILE];
  const check = checkFile(bytes, rule);
  if (!check.ok) return check.messages;
  const tooMuch = findTotalProblem(bytes.length, sizes);
  sizes.push(bytes.length);
  return tooMuch === null ? [] : [tooMuch];
}

function isWebAddress(value: string): boolean {
  return value.length <= ADDRESS_LIMIT_CHARS && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** Normalises a field name: the provider's PHP reads `front[]` and ` front` as the field `front` too. */
function spellAsPhp(name: string): string {
  return name.trimStart().split("[")[0] ?? "";
}

export const READ_PDF: HeavyJob<Uint8Array, PdfContent> = {
  name: "artwork.pdf",
  run: async (bytes) => readPdf(await import("pdfjs-dist/legacy/build/pdf.mjs"), bytes, MOST_LETTER_PAGES),
  // Its images and streams may unpack to any size.
  isLarge: () => true,
  notDone: "The PDF was not checked.",
};

/** Reads in a thread the PDF whose faults {@link listFindings} finds: a letter's, or that of a postcard's back; null without one. */
export async function readPdfOnServer(kind: PreviewState["kind"], fields: Fields) {
  const value = fields[kind === "letter" ? "file" : "back"];
  const bytes = typeof value === "string" ? decodeBase64Strict(value) : null;
  if (bytes === null || findKind(bytes) !== "pdf") return null;
  const read = await doHeavyWork(READ_PDF, bytes);
  return read.ok ? read.value : toUnread(read.failure.message);
}
