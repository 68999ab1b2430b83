import type { Draft } from "../draft";

/** One sent request as this browser remembers it (spec §3 History entry, plus what reopening needs). */
export interface HistoryEntry {
  ts: number;
  method: string;
  path: string;
  /** The provider's status, or null when there was none. */
  status: number | null;
  presetId: string;
  documented: boolean;
  baseLabel: string;
  draft: Draft;
  /** Names of files that were too large to keep. */
  dropped?: string[];
}

export const HISTORY_KEY = "mailroom.history";
const HISTORY_LIMIT = 50;
/** A file larger than this is not kept: the browser's store holds a few MB in all. */
const KEPT_FILE_CHARS = 100_000;

/** The history with a new entry in front: newest first, 50 kept (spec §9). */
export function addEntry(history: HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  const draft = withoutLargeFiles(entry.draft);
  const dropped = Object.entries(entry.draft.files)
    .filter(([field]) => !(field in draft.files))
    .map(([, file]) => file.name);
  return [{ ...entry, draft, dropped }, ...history].slice(0, HISTORY_LIMIT);
}

/** The stored history; anything unreadable counts as none. */
export function parseHistory(text: string | null): HistoryEntry[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Partial<HistoryEntry>;
  return (
    !Number.isNaN(new Date(entry.ts ?? Number.NaN).getTime()) &&
    typeof entry.path === "string" &&
    typeof entry.presetId === "string" &&
    typeof entry.draft === "object" &&
    entry.draft !== null
  );
}

function withoutLargeFiles(draft: Draft): Draft {
  const values = { ...draft.values };
  const files = { ...draft.files };
  for (const name of Object.keys(files)) {
    if ((values[name] ?? "").length <= KEPT_FILE_CHARS) continue;
    delete files[name];
    values[name] = "";
  }
  return { ...draft, values, files };
}
