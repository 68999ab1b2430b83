import type { Draft } from "../draft";

/** One sent request as this browser keeps it, with what is needed to open it again. */
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
/** Larger files are not kept: localStorage holds only a few MB. */
const KEPT_FILE_CHARS = 100_000;

/** The history with a new entry in front. The 50 newest are kept. */
export function addEntry(history: HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  const draft = withoutLargeFiles(entry.draft);
  const dropped = Object.entries(entry.draft.files)
    .filter(([field]) => !(field in draft.files))
    .map(([, file]) => file.name);
  return [{ ...entry, draft, dropped }, ...history].slice(0, HISTORY_LIMIT);
}

/** The stored history; entries that cannot be read are left out. */
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
