import { type Draft, isTooOld } from "../draft/draft";
import type { Answer } from "../send/answer";

/** One sent request as this browser keeps it, with what is needed to open it again. */
export interface HistoryEntry {
  ts: number;
  method: string;
  path: string;
  query?: Record<string, string>;
  /** The provider's status, or null when there was none. */
  status: number | null;
  presetId: string;
  documented: boolean;
  baseLabel: string;
  draft: Draft;
  /** Its answer is the stored response `/stored/<responseId>`. */
  responseId?: string;
  /** Names of files that were too large to keep. */
  dropped?: string[];
}

const HISTORY_LIMIT = 50;
/** Larger files are not kept: localStorage holds only a few MB. */
const KEPT_FILE_CHARS = 100_000;
/** Answers that are kept while the page is open. */
const KEPT_ANSWERS = 20;

/** Answers by the time of their entry. Without a database no others are found again. */
const answers = new Map<number, Answer>();

/** Keeps an answer for as long as the page is open. What it offered belongs to its own draft and is left out. */
export function keepAnswer(ts: number, answer: Answer): void {
  if (answer.kind === "stopped") return;
  const response = answer.response && { ...answer.response };
  delete response?.tested_piece;
  answers.set(ts, { ...answer, response } as Answer);
  for (const oldest of [...answers.keys()].slice(0, -KEPT_ANSWERS)) answers.delete(oldest);
}

/** The answer of an entry: from this page, or as it was stored; null where there is none. */
export async function findAnswer({
  ts,
  responseId,
}: Pick<HistoryEntry, "responseId"> & { ts?: number }): Promise<Answer | null> {
  const kept = answers.get(ts ?? -1);
  if (kept || !responseId) return kept ?? null;
  const { loadEarlierAnswer } = await import("./earlier-answer");
  return loadEarlierAnswer(responseId);
}

/** The history with a new entry in front. The 50 newest are kept. */
export function addEntry(history: HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  const draft = withoutLargeFiles(entry.draft);
  const dropped = Object.entries(entry.draft.files)
    .filter(([field]) => !(field in draft.files))
    .map(([, file]) => file.name);
  return [{ ...entry, draft, dropped }, ...history].slice(0, HISTORY_LIMIT);
}

/** The stored history, without old entries and those that cannot be read. */
export function parseHistory(text: string | null, now: number): HistoryEntry[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isEntry).filter(({ ts }) => !isTooOld(ts, now)) : [];
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
