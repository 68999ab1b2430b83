import { useCallback, useSyncExternalStore } from "react";
import { addEntry, HISTORY_KEY, type HistoryEntry, parseHistory } from "./history";

const CHANGED = "mailroom:history";
const NONE: HistoryEntry[] = [];
let cache: { text: string | null; entries: HistoryEntry[] } = { text: null, entries: NONE };

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener("storage", onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

function read(): HistoryEntry[] {
  const text = window.localStorage.getItem(HISTORY_KEY);
  if (text !== cache.text) cache = { text, entries: parseHistory(text) };
  return cache.entries;
}

function write(entries: HistoryEntry[]): void {
  // A full store must not break a send: the older half is dropped until the rest fits.
  for (let kept = entries; kept.length > 0; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    try {
      window.localStorage.setItem(HISTORY_KEY, JSON.stringify(kept));
      break;
    } catch {}
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** The history of this browser, shared by its tabs. Empty until JavaScript runs. */
export function useHistory() {
  const entries = useSyncExternalStore(subscribe, read, () => NONE);
  const add = useCallback((entry: HistoryEntry) => write(addEntry(read(), entry)), []);
  const clear = useCallback(() => {
    window.localStorage.removeItem(HISTORY_KEY);
    window.dispatchEvent(new Event(CHANGED));
  }, []);
  return { entries, add, clear };
}
