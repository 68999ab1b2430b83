import { isRecord } from "~/platform/json-value";
import { type CallTemplate, type ChosenFile, type Draft, openPreset, removeFallbackRecipient } from "./draft";
import { findLiveMailType } from "./mode";
import { RECIPIENT_CHOICE } from "./recipients";

/** A mail form as this browser stores it. The contents of its files are separate entries, by field name. */
export interface StoredDraft {
  version: typeof VERSION;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Without the contents of files. */
  draft: Draft;
  /** Stamps of this draft's file contents by field name. */
  stamps: Record<string, string>;
  /** Names of files that were too large to be saved. */
  missing: string[];
  /** The form was in live mode. */
  live: boolean;
  /** Idempotency key of a live send whose outcome the page did not know, or its tested piece's ID; null otherwise. */
  sentKey: string | null;
}

/** The content of a saved file. Its stamp names its draft, because two tabs may write at once. */
export interface StoredFile {
  stamp: string;
  base64: string;
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
 * @param stamps by field name
 */
export function packDraft(
  draft: Draft,
  {
    savedAt,
    stamps,
    sentKey,
    limitBytes = MAX_SAVED_FILES_BYTES,
  }: { savedAt: number; stamps: Record<string, string>; sentKey: string | null; limitBytes?: number },
): StoredDraft {
  const { fallbackRecipient: _, ...own } = removeFallbackRecipient(draft);
  const values = { ...own.values };
  const files: Record<string, ChosenFile> = {};
  const missing: string[] = [];
  let left = limitBytes;
  for (const [name, file] of Object.entries(own.files)) {
    values[name] = "";
    if (file.bytes > left) missing.push(file.name);
    else {
      files[name] = file;
      left -= file.bytes;
    }
  }
  const savedStamps = Object.fromEntries(Object.keys(files).map((name) => [name, stamps[name] ?? ""]));
  const live = draft.values.test !== "true";
  return {
    version: VERSION,
    savedAt,
    draft: { ...own, values, files },
    stamps: savedStamps,
    missing,
    live,
    sentKey,
  };
}

/** Parses the draft in a stored entry; null if it is no draft, or one of another version of Mailroom. */
export function parseStoredDraft(stored: unknown): StoredDraft | null {
  if (!isRecord(stored) || stored.version !== VERSION) return null;
  const { savedAt, draft, stamps, missing } = stored;
  const whole =
    typeof savedAt === "number" &&
    Number.isFinite(savedAt) &&
    isRecord(stamps) &&
    Array.isArray(missing) &&
    typeof stored.live === "boolean" &&
    (stored.sentKey === null || typeof stored.sentKey === "string") &&
    missing.every((name) => typeof name === "string") &&
    isRecord(draft) &&
    typeof draft.method === "string" &&
    typeof draft.path === "string" &&
    isRecord(draft.values) &&
    Object.values(draft.values).every((value) => typeof value === "string") &&
    isRecord(draft.files) &&
    Object.values(draft.files).every(isFile) &&
    [draft.query, draft.headers].every((pairs) => Array.isArray(pairs) && pairs.every(isPair)) &&
    (draft.body === null || typeof draft.body === "string");
  return whole ? (stored as unknown as StoredDraft) : null;
}

/**
 * Restores a stored draft for the fields that the form has now, with the files whose contents are stored. It is always
 * a test, because live mode belongs to one page and is never stored.
 * @param contents stored entries by field name
 */
export function restoreDraft(
  { draft, savedAt, stamps, missing, live, sentKey }: StoredDraft,
  contents: Readonly<Record<string, unknown>>,
  template: CallTemplate,
): RestoredDraft {
  const opened = openPreset(template);
  const names = template.fields.map((field) => field.name);
  if (draft.values[RECIPIENT_CHOICE]) names.push(RECIPIENT_CHOICE);
  const values = Object.fromEntries(
    names.map((name) => [name, draft.values[name] ?? opened.values[name] ?? ""]),
  );
  const files: Record<string, ChosenFile> = {};
  const lost: string[] = [];
  for (const [name, file] of Object.entries(draft.files)) {
    const content = contents[name];
    if (names.includes(name) && isContent(content) && content.stamp === stamps[name]) {
      values[name] = content.base64;
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

function isFile(file: unknown): boolean {
  return isRecord(file) && typeof file.name === "string" && typeof file.bytes === "number";
}

function isPair(pair: unknown): boolean {
  return isRecord(pair) && typeof pair.name === "string" && typeof pair.value === "string";
}

function isContent(content: unknown): content is StoredFile {
  return isRecord(content) && typeof content.stamp === "string" && typeof content.base64 === "string";
}
