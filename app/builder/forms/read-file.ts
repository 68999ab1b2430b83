import { checkFile, checkStart } from "~/print/artwork/check-file";
import type { CheckedFile } from "~/print/artwork/checked-file";
import { type FileRule, findSizeProblem, findTotalProblem } from "~/print/artwork/file-rules";
import { EMPTY_FILE, NOT_PROCESSED } from "~/print/artwork/messages";
import { readBase64 } from "~/ui/pdf/base64";
import { openPdf } from "~/ui/pdf/pdf-file";

type ReadFile = { ok: true; base64: string; facts?: CheckedFile } | { ok: false; why: string };

/** Enough to recognise the type of a file. */
const START_BYTES = 1_024;

/**
 * Reads a chosen file as base64 (without a `data:` prefix, which the provider does not document) and checks it by the
 * rules of its field. The server checks it again.
 * @param rule null if every file is allowed
 * @param countOthers gives the total size of the form's other files at that moment, in bytes
 * @param onProgress receives the share that is read, 0 to 1
 */
export async function readChosenFile(
  file: File,
  rule: FileRule | null,
  countOthers: () => number,
  onProgress: (share: number) => void,
): Promise<ReadFile> {
  try {
    const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
    const begun = rule ? checkStart(start, file.size, rule) : null;
    if (typeof begun === "object" && begun !== null) return refuse(begun.messages);
    const misfit = file.size === 0 ? EMPTY_FILE : findSizeProblem(file.size);
    if (misfit !== null) return refuse([misfit]);
    const base64 = await readBase64(file, onProgress);
    const checked = rule && checkFile(new Uint8Array(await file.arrayBuffer()), rule);
    if (checked && !checked.ok) return refuse(checked.messages);
    const tooMuch = findTotalProblem(file.size, [countOthers()]);
    if (tooMuch !== null) return refuse([tooMuch]);
    if (!checked) return { ok: true, base64 };
    if (checked.file.kind !== "pdf") return { ok: true, base64, facts: checked.file };
    // The preview opens it too. Without pdf.js the file is attached all the same.
    const measured = await openPdf(base64, () => {})
      .then((pdf) => pdf.measure())
      .catch(() => null);
    return { ok: true, base64, facts: { ...checked.file, ...measured } };
  } catch {
    return refuse([NOT_PROCESSED]);
  }
}

function refuse(messages: string[]): ReadFile {
  return { ok: false, why: messages.join(". ") };
}
