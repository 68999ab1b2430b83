import { type DragEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { FileRule } from "~/print/artwork/file-rules";
import { useTakeOver } from "~/ui/use-take-over";
import type { ChosenFile } from "../draft/draft";
import { readChosenFile } from "./read-file";

export function formatManyFiles(count: number): string {
  return `You chose ${count} files. Choose one: nothing was attached.`;
}

/** Choosing a file, and its progress. */
export type FileChoice = ReturnType<typeof useFileChoice>;

/**
 * Takes one file by choosing, dropping or pasting, checks it and converts it to base64. A new choice cancels the one
 * before. A file that fails its checks clears the field.
 * @param place the field's element: a file that is pasted while it has the focus belongs to it
 */
export function useFileChoice(
  place: RefObject<HTMLElement>,
  {
    rule,
    otherBytes,
    onReading,
    onTaken,
  }: {
    rule: FileRule | null;
    /** Total size of the form's other files. */
    otherBytes: number;
    /** Called with true when a file is chosen, and with false when it is taken, refused or given up. */
    onReading: (on: boolean) => void;
    /** Called with the file, or with null when it failed its checks. */
    onTaken: (base64: string, file: ChosenFile | null) => void;
  },
) {
  /** The file that is read, and its share that was read, 0 to 1. */
  const [reading, setReading] = useState<{ name: string; share: number } | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** True while a file is dragged over the field. */
  const [hovered, setHovered] = useState(false);
  const running = useRef<AbortController | null>(null);
  const latest = useRef({ rule, otherBytes, onReading, onTaken });
  latest.current = { rule, otherBytes, onReading, onTaken };

  const cancel = useCallback(() => {
    running.current?.abort();
    setReading(null);
    latest.current.onReading(false);
  }, []);

  const choose = useCallback(async (files: readonly File[]) => {
    const [file] = files;
    if (!file) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    latest.current.onReading(files.length === 1);
    if (files.length > 1) {
      setReading(null);
      setError(formatManyFiles(files.length));
      return;
    }
    const { signal } = controller;
    const { name } = file;
    const onProgress = (share: number) => signal.aborted || setReading({ name, share });
    onProgress(0);
    const { rule } = latest.current;
    const read = await readChosenFile(file, rule, () => latest.current.otherBytes, onProgress);
    if (signal.aborted) return;
    if (read.ok) {
      const { base64, facts } = read;
      latest.current.onTaken(base64, { name, bytes: file.size, ...(facts ? { facts } : {}) });
    } else {
      latest.current.onTaken("", null);
      setError(`${name}: ${read.why}`);
    }
    setReading(null);
    latest.current.onReading(false);
  }, []);

  useEffect(() => () => running.current?.abort(), []);
  // Remembered, because in development React runs first effects twice.
  const early = useRef<File[] | null>(null);
  useTakeOver(() => {
    early.current ??= takeEarlyFiles(place.current);
    void choose(early.current);
  }, [place, choose]);
  usePaste(place, choose);
  useNoStrayDrop();

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

/** A focused file input gets no paste events, so the document listens for them. */
function usePaste(place: RefObject<HTMLElement>, choose: (files: readonly File[]) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || !place.current?.contains(document.activeElement)) return;
      event.preventDefault();
      choose(files);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [place, choose]);
}

/** Stops the browser from opening a file that was dropped beside the field. */
function useNoStrayDrop(): void {
  useEffect(() => {
    const onDrag = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", onDrag);
    window.addEventListener("drop", onDrag);
    return () => {
      window.removeEventListener("dragover", onDrag);
      window.removeEventListener("drop", onDrag);
    };
  }, []);
}

function holdsFiles(transfer: DataTransfer): boolean {
  return transfer.types.includes("Files");
}
