import { isRecord } from "~/platform/json-value";
import { type CallTemplate, type ChosenFile, type Draft, openPreset, removeFallbackRecipient } from "./draft";
import { findLiveMailType } from "./mode";
import { RECIPIENT_CHOICE } from "./recipients";

/** A mail form as this browser stores it. */
export interface StoredDraft {
  version: typeof VERSION;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Without the contents of files. */
  draft: Draft;
  /** Names of the entries with the file contents, by field. Each content has its own, because two tabs may write at once. */
  stamps: Record<string, string>;
  /** Names of files that were too large to be saved. */
  missing: string[];
  /** The form was in live mode. */
  live: boolean;
  /** Idempotency key of a live send whose outcome the page did not know, or its tested piece's ID; null otherwise. */
  sentKey: string | null;
}

/** A saved draft, restored. */
export interface RestoredDraft extends Pick<StoredDraft, "savedAt" | "missing" | "live" | "sentKey"> {
  draft: Draft;
}

const VERSION = 2;
/** Files up to this total are saved with their draft. */
export const MAX_SAVED_FILES_BYTES = 12_000_000;

/**
 * Packs a draft for storage. Files are included in order while they fit; `limitBytes` 0 omits all.
 * @param stamps by content
 */
export function packDraft(
  draft: Draft,
  stamps: ReadonlyMap<string, string>,
  sentKey: string | null,
  limitBytes = MAX_SAVED_FILES_BYTES,
): StoredDraft {
  const { fallbackRecipient: _, ...own } = removeFallbackRecipient(draft);
  const stored: StoredDraft = {
    version: VERSION,
    savedAt: Date.now(),
    draft: { ...own, values: { ...own.values }, files: {} },
    stamps: {},
    missing: [],
    live: draft.values.test !== "true",
    sentKey,
  };
  let left = limitBytes;
  for (const [name, file] of Object.entries(own.files)) {
    stored.draft.values[name] = "";
    if (file.bytes > left) {
      stored.missing.push(file.name);
      continue;
    }
    left -= file.bytes;
    stored.draft.files[name] = file;
    stored.stamps[name] = stamps.get(own.values[name] ?? "") ?? "";
  }
  return stored;
}

/** Parses a stored entry; null if it is no draft, or one of another version of Mailroom. */
export function parseStoredDraft(stored: unknown): StoredDraft | null {
  return isRecord(stored) && stored.version === VERSION ? (stored as unknown as StoredDraft) : null;
}

/**
 * Restores a stored draft for the fields that the form has now, with the files whose contents are stored. It is always
 * a test, because live mode belongs to one page and is never stored.
 * @param contents stored entries by stamp
 */
export function restoreDraft(
  { draft, savedAt, stamps, missing, live, sentKey }: StoredDraft,
  contents: ReadonlyMap<string, unknown>,
  template: CallTemplate,
): RestoredDraft {
  const opened = openPreset(template);
  const names = template.fields.map((field) => field.name);
  if (draft.values[RECIPIENT_CHOICE]) names.push(RECIPIENT_CHOICE);
  const values = Object.fromEntries(
    names.map((name) => [name, String(draft.values[name] ?? opened.values[name] ?? "")]),
  );
  const files: Record<string, ChosenFile> = {};
  const lost: string[] = [];
  for (const [name, file] of Object.entries(draft.files)) {
    const content = contents.get(stamps[name] ?? "");
    if (names.includes(name) && typeof content === "string") {
      values[name] = content;
      files[name] = file;
    } else lost.push(file.name);
  }
  return {
    draft: toTest({ ...draft, values, files }, template),
    savedAt,
    missing: [...missing, ...lost],
    live,
    sentKey,
  };
}

/** Turns the draft into a test: its box is ticked, and a body edited by hand is changed if it would be live mail. */
export function toTest(draft: Draft, template: CallTemplate): Draft {
  const boxed = draft.values.test !== undefined && draft.values.test !== "true";
  const test = boxed ? { ...draft, values: { ...draft.values, test: "true" } } : draft;
  if (test.body === null || findLiveMailType(test, template) === null) return test;
  const body: unknown = test.body.trim() === "" ? {} : JSON.parse(test.body);
  return { ...test, body: isRecord(body) ? JSON.stringify({ ...body, test: true }, null, 2) : null };
}

/** True when nothing was entered yet, so that there is nothing to save. The test box does not count. */
export function isFresh(draft: Draft, template: CallTemplate): boolean {
  const opened = openPreset(template);
  const { test: _, ...values } = draft.values;
  return isSameDraft({ ...draft, values: { ...opened.values, ...values } }, opened);
}

/** True when two drafts have the same content. A fallback recipient does not count. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  const [a, b] = [removeFallbackRecipient(one), removeFallbackRecipient(other)];
  const names = new Set([...Object.keys(a.values), ...Object.keys(b.values)]);
  return (
    a.method === b.method &&
    a.path === b.path &&
    a.body === b.body &&
    [...names].every((name) => (a.values[name] ?? "") === (b.values[name] ?? "")) &&
    JSON.stringify([a.query, a.headers]) === JSON.stringify([b.query, b.headers])
  );
}

/** `16:05`, or `20 Nov, 16:05` for another day; in the browser's time zone. */
export function formatSavedTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (then.toDateString() === today.toDateString()) return time;
  return `${then.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time}`;
}
