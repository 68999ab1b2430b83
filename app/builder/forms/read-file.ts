import { checkFile, checkStart } from "~/print/artwork/check-file";
import type { CheckedFile } from "~/print/artwork/checked-file";
import { type FileRule, findSizeProblem, findTotalProblem } from "~/print/artwork/file-rules";
import { EMPTY_FILE, NOT_PROCESSED } from "~/print/artwork/messages";
import { readBase64 } from "~/ui/pdf/base64";
import { openPdf } from "~/ui/pdf/pdf-file";

/** The current step of reading a file and its progress from 0 to 1. */
export interface ReadingStep {
  doing: "Reading" | "Checking" | "Converting";
  share: number;
}

export type ReadFile = { ok: true; base64: string; facts?: CheckedFile } | { ok: false; why: string };

/** Enough to recognise the type of a file. */
const START_BYTES = 1_024;
/** Files are read in parts, so that the page stays responsive. A multiple of three, as base64 needs. */
const PART_BYTES = 3 * 256 * 1_024;

/**
 * Reads a chosen file as base64 (without a `data:` prefix, which the provider does not document) and checks it by the
 * rules of its field. The server checks it again.
 * @param countOthers gives the total size of the form's other files at that moment, in bytes
 * @throws the reason of `signal` when it is aborted
 */
export async function readChosenFile(
  file: File,
  {
    rule,
    countOthers,
    signal,
    onStep,
  }: {
    /** Null if every file is allowed. */
    rule: FileRule | null;
    countOthers: () => number;
    signal: AbortSignal;
    onStep: (step: ReadingStep) => void;
  },
): Promise<ReadFile> {
  try {
    const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
    const begun = rule ? checkStart(start, file.size, rule) : null;
    if (typeof begun === "object" && begun !== null) return refuse(begun.messages);
    if (file.size === 0) return refuse([EMPTY_FILE]);
    const tooLarge = rule ? null : findSizeProblem(file.size);
    if (tooLarge !== null) return refuse([tooLarge]);
    const bytes = await readBytes(file, signal, (share) => onStep({ doing: "Reading", share }));
    onStep({ doing: "Checking", share: 0 });
    await yieldToEventLoop();
    signal.throwIfAborted();
    const checked = rule && checkFile(bytes, rule);
    if (checked && !checked.ok) return refuse(checked.messages);
    const tooMuch = findTotalProblem(file.size, [countOthers()]);
    if (tooMuch !== null) return refuse([tooMuch]);
    const base64 = await readInParts(file, signal, (share) => onStep({ doing: "Converting", share }));
    if (checked?.file.kind !== "pdf")
      return { ok: true, base64, ...(checked ? { facts: checked.file } : {}) };
    // The preview opens it too. Without pdf.js the file is attached all the same.
    const measured = await openPdf(base64, () => {})
      .then((pdf) => pdf.measure())
      .catch(() => null);
    signal.throwIfAborted();
    return { ok: true, base64, facts: { ...checked.file, ...measured } };
  } catch (error) {
    if (signal.aborted) throw error;
    return refuse([NOT_PROCESSED]);
  }
}

function refuse(messages: string[]): ReadFile {
  return { ok: false, why: messages.join(". ") };
}

async function readBytes(
  file: File,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size);
  for (let at = 0; at < file.size; at += PART_BYTES) {
    onShare(at / file.size);
    const part = await file.slice(at, at + PART_BYTES).arrayBuffer();
    signal.throwIfAborted();
    bytes.set(new Uint8Array(part), at);
  }
  return bytes;
}

async function readInParts(
  file: File,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < file.size; at += PART_BYTES) {
    onShare(at / file.size);
    parts.push(await readBase64(file.slice(at, at + PART_BYTES)));
    signal.throwIfAborted();
  }
  return parts.join("");
}

/** Lets the page render and react before a longer step. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
