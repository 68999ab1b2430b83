import { useCallback, useEffect, useMemo, useReducer } from "react";
import type { Method } from "~/catalogue/types";
import { parseJson, parseRecord } from "~/platform/json-value";
import { isTooOld } from "~/platform/time";
import { useRemembered } from "~/ui/use-remembered";
import type { PresetDraft } from "../draft/draft";
import type { Answer } from "../send/answer";

export interface HistoryEntry {
  ts: number;
  method: Method;
  path: string;
  /** The provider's status, or null when there was none. */
  status: number | null;
  /** The stored response that opens the request and its answer again. */
  responseId?: string;
}

/** A request that was not stored, and its answer. */
export interface SentRequest extends PresetDraft {
  answer: Answer;
}

const HISTORY_LIMIT = 50;
const KEPT_REQUESTS = 20;

/** Requests that were not stored, by the time of their entry, while the page is open. */
const sentRequests = new Map<number, SentRequest>();

/** Keeps a request while the page is open, without its tested piece, which belongs to the form it was sent from. */
export function keepSent(ts: number, { answer, ...sent }: SentRequest): void {
  if (answer.kind === "stopped") return;
  const response = answer.response && { ...answer.response };
  delete response?.tested_piece;
  sentRequests.set(ts, { ...sent, answer: { ...answer, response } as Answer });
  for (const oldest of [...sentRequests.keys()].slice(0, -KEPT_REQUESTS)) sentRequests.delete(oldest);
}

export function findSent({ ts }: HistoryEntry): SentRequest | undefined {
  return sentRequests.get(ts);
}

export function addEntry(history: HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  return [entry, ...history].slice(0, HISTORY_LIMIT);
}

/** Parses the stored history. Drops old and unreadable entries, and requests stored by an earlier version. */
export function parseHistory(text: string | null, now: number): HistoryEntry[] {
  const stored = parseJson(text ?? "");
  return (Array.isArray(stored) ? stored : [])
    .filter((entry): entry is HistoryEntry => {
      const { ts, method, path } = parseRecord(entry);
      return (
        typeof ts === "number" && typeof method === "string" && typeof path === "string" && !isTooOld(ts, now)
      );
    })
    .map(({ ts, method, path, status = null, responseId }) => ({ ts, method, path, status, responseId }));
}

/** "GET recipients/list, sent 13:05:10" */
export function formatEarlier({ method, path, ts }: HistoryEntry): string {
  return `${method} ${path}, sent ${formatSentTime(ts)}`;
}

/** The time of day for today's entries, the date for older ones. */
export function formatSentTime(ts: number): string {
  const time = new Date(ts);
  const today = time.toDateString() === new Date().toDateString();
  return today ? time.toLocaleTimeString() : time.toLocaleDateString();
}

const PREFIX = "mailroom.history";

/** Deletes old entries of all persons, and the requests that an earlier version kept in them. */
function trimHistories(): void {
  for (const name of Object.keys(window.localStorage)) {
    if (!name.startsWith(PREFIX)) continue;
    const entries = parseHistory(window.localStorage.getItem(name), Date.now());
    if (name === PREFIX || entries.length === 0) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, JSON.stringify(entries));
  }
}

/** The history of a person in this browser, shared by its tabs. Empty until JavaScript runs, and without a person. */
export function useHistory(viewerId: string | null) {
  const [text, store] = useRemembered<string>(`history ${viewerId}`, "");
  const entries = useMemo(() => parseHistory(text, Date.now()), [text]);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    try {
      trimHistories();
    } catch {
      // A full or forbidden store must not break the page.
    }
    // Other tabs store their drafts too.
    const onStored = ({ key }: StorageEvent) => key?.startsWith(PREFIX) && redraw();
    window.addEventListener("storage", onStored);
    return () => window.removeEventListener("storage", onStored);
  }, []);
  const add = useCallback(
    (entry: HistoryEntry) => {
      if (viewerId === null) return;
      store((last) => JSON.stringify(addEntry(parseHistory(last, Date.now()), entry)));
    },
    [viewerId, store],
  );
  return { entries, add, clear: () => store("") };
}
