import { useCallback, useEffect, useSyncExternalStore } from "react";
import { addEntry, type HistoryEntry, parseHistory } from "./history";

const PREFIX = "mailroom.history";
const CHANGED = "mailroom:history";
const NONE: HistoryEntry[] = [];
let cache: { key: string; text: string | null; entries: HistoryEntry[] } = {
  key: "",
  text: null,
  entries: NONE,
};

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener("storage", onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

function read(viewerId: string): HistoryEntry[] {
  const key = `${PREFIX} ${viewerId}`;
  const text = window.localStorage.getItem(key);
  if (key !== cache.key || text !== cache.text)
    cache = { key, text, entries: parseHistory(text, Date.now()) };
  return cache.entries;
}

function write(viewerId: string, entries: HistoryEntry[]): void {
  // A full store must not break a send: the older half is dropped until the rest fits.
  for (let kept = entries; kept.length > 0; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    try {
      window.localStorage.setItem(`${PREFIX} ${viewerId}`, JSON.stringify(kept));
      break;
    } catch {}
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Deletes the histories without recent entries, and one from before they had an owner. */
function dropOldHistories(): void {
  for (const key of Object.keys(window.localStorage)) {
    if (!key.startsWith(PREFIX)) continue;
    const entries = parseHistory(window.localStorage.getItem(key), Date.now());
    if (key === PREFIX || entries.length === 0) window.localStorage.removeItem(key);
  }
}

/** The history of a person in this browser, shared by its tabs. Empty until JavaScript runs, and without a person. */
export function useHistory(viewerId: string | null) {
  const entries = useSyncExternalStore(
    subscribe,
    () => (viewerId === null ? NONE : read(viewerId)),
    () => NONE,
  );
  useEffect(dropOldHistories, []);
  const add = useCallback(
    (entry: HistoryEntry) => {
      if (viewerId !== null) write(viewerId, addEntry(read(viewerId), entry));
    },
    [viewerId],
  );
  const clear = useCallback(() => {
    window.localStorage.removeItem(`${PREFIX} ${viewerId}`);
    window.dispatchEvent(new Event(CHANGED));
  }, [viewerId]);
  return { entries, add, clear };
}
