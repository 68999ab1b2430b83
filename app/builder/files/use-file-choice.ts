import { type DragEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { FileRule } from "~/print/artwork/file-rules";
import type { ChosenFile } from "../draft";
import { type ReadingStep, readChosenFile } from "./read-file";

export interface FileChoice {
  /** What is being done now, and to which file; null when nothing is. */
  reading: (ReadingStep & { name: string }) | null;
  error: string | null;
  /** A file is held over the field. */
  hovered: boolean;
  choose: (files: readonly File[]) => void;
  cancel: () => void;
  /** For the element that files may be dropped on. */
  dropping: {
    onDragEnter: (event: DragEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

/**
 * Takes a file by choosing, dropping or pasting: one at a time, checked and turned into base64. Another choice ends
 * the one before; a file that fails clears the field (spec §5).
 * @param place the field's element: what is pasted while the focus is inside it is its
 */
export function useFileChoice(
  place: RefObject<HTMLElement>,
  {
    rule,
    otherBytes,
    onTaken,
  }: {
    rule: FileRule | null;
    /** What the form's other files have together. */
    otherBytes: number;
    /** The file, or nothing when it failed. */
    onTaken: (base64: string, file: ChosenFile | null) => void;
  },
): FileChoice {
  const [reading, setReading] = useState<FileChoice["reading"]>(null);
  const [error, setError] = useState<string | null>(null);
  const [hovered, setHovered] = useState(false);
  const running = useRef<AbortController | null>(null);
  const latest = useRef({ rule, otherBytes, onTaken });
  latest.current = { rule, otherBytes, onTaken };

  const cancel = useCallback(() => {
    running.current?.abort();
    setReading(null);
  }, []);

  const choose = useCallback(async (files: readonly File[]) => {
    const [file] = files;
    if (!file) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    if (files.length > 1) {
      setReading(null);
      setError(`Those were ${files.length} files: this field takes one at a time. Nothing was attached.`);
      return;
    }
    const { signal } = controller;
    const { name } = file;
    try {
      const read = await readChosenFile(file, {
        rule: latest.current.rule,
        countOthers: () => latest.current.otherBytes,
        signal,
        onStep: (step) => setReading({ ...step, name }),
      });
      signal.throwIfAborted();
      if (read.ok) {
        const { base64, facts } = read;
        latest.current.onTaken(base64, { name, bytes: file.size, ...(facts ? { facts } : {}) });
      } else {
        latest.current.onTaken("", null);
        setError(`${name}: ${read.why}`);
      }
      setReading(null);
    } catch (failure) {
      if (!signal.aborted) throw failure;
    }
  }, []);

  useEffect(() => () => running.current?.abort(), []);
  usePaste(place, choose);
  useNoStrayDrop();

  return {
    reading,
    error,
    hovered,
    choose: (files) => void choose(files),
    cancel,
    dropping: {
      onDragEnter: (event) => setHovered(holdsFiles(event.dataTransfer)),
      onDragOver: (event) => {
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      },
      onDragLeave: (event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setHovered(false);
      },
      onDrop: (event) => {
        setHovered(false);
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        void choose([...event.dataTransfer.files]);
      },
    },
  };
}

/** The browser tells the page of a paste, but not the focused button of a file field: so it is heard there. */
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

/** A file dropped beside its field must not take the place of the page. */
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
