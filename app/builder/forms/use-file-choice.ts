import { type DragEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { checkFile, checkStart } from "~/print/artwork/check-file";
import {
  type CheckedFile,
  type FileRule,
  findFileRule,
  findSizeProblem,
  findTotalProblem,
} from "~/print/artwork/file-rules";
import { EMPTY_FILE, NOT_PROCESSED } from "~/print/artwork/messages";
import { readBase64 } from "~/ui/pdf/base64";
import { openPdf } from "~/ui/pdf/pdf-file";
import { useTakeOver } from "~/ui/use-hydrated";
import { useForm } from "./form-context";

export function formatManyFiles(count: number): string {
  return `You chose ${count} files. Choose one: nothing was attached.`;
}

export type FileChoice = ReturnType<typeof useFileChoice>;

/** Takes one file by choosing, dropping or pasting it into `place`, checks it and converts it to base64. A new choice cancels the last. */
export function useFileChoice(place: RefObject<HTMLElement>, field: string) {
  const form = useForm();
  const latest = useRef(form);
  latest.current = form;
  /** The file that is read, and its share that was read, 0 to 1. */
  const [reading, setReading] = useState<{ name: string; share: number } | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** True while a file is dragged over the field. */
  const [hovered, setHovered] = useState(false);
  const running = useRef<AbortController | null>(null);

  const setReadingField = useCallback(
    (on: boolean) => latest.current.change({ type: "reading", name: field, on }),
    [field],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    setReading(null);
    setReadingField(false);
  }, [setReadingField]);

  const choose = useCallback(
    async (files: readonly File[]) => {
      const [file] = files;
      if (!file) return;
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setError(null);
      setReadingField(files.length === 1);
      if (files.length > 1) {
        setReading(null);
        setError(formatManyFiles(files.length));
        return;
      }
      const { signal } = controller;
      const { name } = file;
      const onProgress = (share: number) => signal.aborted || setReading({ name, share });
      onProgress(0);
      const rule = findFileRule(latest.current.call.path, field);
      const countOthers = () =>
        Object.entries(latest.current.draft.files).reduce(
          (sum, [other, { bytes }]) => (other === field ? sum : sum + bytes),
          0,
        );
      const read = await readChosenFile(file, rule, countOthers, onProgress);
      if (signal.aborted) return;
      const { change } = latest.current;
      if (read.ok) {
        const { base64, facts } = read.value;
        change({ type: "file", name: field, value: base64, file: { name, bytes: file.size, facts } });
      } else {
        change({ type: "file", name: field, value: "", file: null });
        setError(`${name}: ${read.failure.message}`);
      }
      setReading(null);
      setReadingField(false);
    },
    [field, setReadingField],
  );

  useEffect(() => () => running.current?.abort(), []);
  // Remembered, because in development React runs first effects twice.
  const early = useRef<File[] | null>(null);
  useTakeOver(() => {
    early.current ??= takeEarlyFiles(place.current);
    void choose(early.current);
  }, [place, choose]);
  useFilesOfPage(place, choose);

  return {
    reading,
    error,
    hovered,
    choose: (files: readonly File[]) => void choose(files),
    cancel,
    /** Props of the element that accepts dropped files. */
    dropping: {
      onDragEnter: (event: DragEvent) => setHovered(holdsFiles(event.dataTransfer)),
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      },
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setHovered(false);
      },
      onDrop: (event: DragEvent) => {
        setHovered(false);
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        void choose([...event.dataTransfer.files]);
      },
    },
  };
}

/** Takes the files chosen before hydration and empties the control. */
function takeEarlyFiles(field: HTMLElement | null): File[] {
  const control = field?.querySelector<HTMLInputElement>("input[type=file]");
  if (!control) return [];
  const files = [...(control.files ?? [])];
  control.value = "";
  return files;
}

/**
 * Takes files that are pasted while the field has the focus: a focused file input gets no paste events. Stops the
 * browser from opening a file that was dropped beside the field.
 */
function useFilesOfPage(place: RefObject<HTMLElement>, choose: (files: readonly File[]) => void): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || !place.current?.contains(document.activeElement)) return;
      event.preventDefault();
      choose(files);
    };
    const onDrag = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    document.addEventListener("paste", onPaste, { signal });
    window.addEventListener("dragover", onDrag, { signal });
    window.addEventListener("drop", onDrag, { signal });
    return () => controller.abort();
  }, [place, choose]);
}

function holdsFiles(transfer: DataTransfer): boolean {
  return transfer.types.includes("Files");
}

/** Enough to recognise the type of a file. */
const START_BYTES = 1_024;

/**
 * Reads a chosen file as base64 (without a `data:` prefix, which the provider does not document) and checks it by the
 * rules of its field. The server checks it again.
 * @param countOthers gives the total size of the form's other files at that moment, in bytes
 */
async function readChosenFile(
  file: File,
  rule: FileRule | null,
  countOthers: () => number,
  onProgress: (share: number) => void,
): Promise<Outcome<{ base64: string; facts?: CheckedFile }>> {
  try {
    const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
    const begun = rule ? checkStart(start, file.size, rule) : null;
    if (typeof begun === "object" && begun !== null) return fail("bad_input", begun.messages.join(". "));
    const misfit = file.size === 0 ? EMPTY_FILE : findSizeProblem(file.size);
    if (misfit !== null) return fail("bad_input", misfit);
    const base64 = await readBase64(file, onProgress);
    const checked = rule && checkFile(new Uint8Array(await file.arrayBuffer()), rule);
    if (checked && !checked.ok) return fail("bad_input", checked.messages.join(". "));
    const tooMuch = findTotalProblem(file.size, [countOthers()]);
    if (tooMuch !== null) return fail("bad_input", tooMuch);
    const facts = checked?.file;
    if (facts?.kind !== "pdf") return succeed({ base64, facts });
    // The preview opens it too. Without pdf.js the file is still attached.
    const measured = await openPdf(base64, () => {})
      .then((pdf) => pdf.measure())
      .catch(() => null);
    return succeed({ base64, facts: { ...facts, ...measured } });
  } catch {
    return fail("bad_input", NOT_PROCESSED);
  }
}
