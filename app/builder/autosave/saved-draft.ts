import { type CallTemplate, type ChosenFile, type Draft, openDraft, removeFallbackRecipient } from "../draft";
import { findLiveMailType } from "../mode/mail-type";

/** What this browser keeps of a mail form; the files' contents lie beside it, by field name. */
export interface StoredDraft {
  version: typeof VERSION;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Without the contents of files. */
  draft: Draft;
  /** Of the content that belongs to each kept file. */
  stamps: Record<string, string>;
  /** Names of files that were too large to be kept. */
  missing: string[];
  /** It was about to be real mail. */
  live: boolean;
  /** It was sent live, and what came of that is not known here. */
  doubtful: boolean;
}

/** A kept file's content. Its stamp says which draft it belongs to, should two tabs write at once. */
export interface StoredFile {
  stamp: string;
  base64: string;
}

/** A kept draft as it comes back. */
export interface RestoredDraft extends Pick<StoredDraft, "savedAt" | "missing" | "live" | "doubtful"> {
  draft: Draft;
}

const VERSION = 1;
/** What the files of one draft may have together to be kept with it. */
export const MAX_SAVED_FILES_BYTES = 12_000_000;

/**
 * A draft as it is stored. Files that do not fit are left out, the first come first; `limitBytes` 0 leaves all out.
 * @param stamps of the contents, by field name
 */
export function packDraft(
  draft: Draft,
  {
    savedAt,
    stamps,
    doubtful,
    limitBytes = MAX_SAVED_FILES_BYTES,
  }: { savedAt: number; stamps: Record<string, string>; doubtful: boolean; limitBytes?: number },
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
  const kept = Object.fromEntries(Object.keys(files).map((name) => [name, stamps[name] ?? ""]));
  const live = draft.values.test !== "true";
  return {
    version: VERSION,
    savedAt,
    draft: { ...own, values, files },
    stamps: kept,
    missing,
    live,
    doubtful,
  };
}

/** What lies in the store under a draft's key, or null when it is none, or of another version of this page. */
export function parseStoredDraft(stored: unknown): StoredDraft | null {
  if (!isObject(stored) || stored.version !== VERSION) return null;
  const { savedAt, draft, stamps, missing } = stored;
  const whole =
    typeof savedAt === "number" &&
    Number.isFinite(savedAt) &&
    isObject(stamps) &&
    Array.isArray(missing) &&
    missing.every((name) => typeof name === "string") &&
    isObject(draft) &&
    typeof draft.method === "string" &&
    typeof draft.path === "string" &&
    isObject(draft.values) &&
    Object.values(draft.values).every((value) => typeof value === "string") &&
    isObject(draft.files) &&
    Object.values(draft.files).every(isFile) &&
    [draft.query, draft.headers].every((pairs) => Array.isArray(pairs) && pairs.every(isPair)) &&
    (draft.body === null || typeof draft.body === "string");
  return whole ? (stored as unknown as StoredDraft) : null;
}

/**
 * A stored draft as it comes back: for the fields that the form has now, with the files whose contents are there,
 * and never as live mail, because live is a state of one tab and is not kept.
 * @param contents by field name, as they lie in the store
 */
export function restoreDraft(
  { draft, savedAt, stamps, missing, live, doubtful }: StoredDraft,
  contents: Readonly<Record<string, unknown>>,
  template: CallTemplate,
): RestoredDraft {
  const opened = openDraft(template);
  const names = template.fields.map((field) => field.name);
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
    doubtful,
  };
}

/** The draft as a test: its box ticked, and a body typed by hand changed where it would be live mail. */
export function toTest(draft: Draft, template: CallTemplate): Draft {
  const boxed = draft.values.test !== undefined && draft.values.test !== "true";
  const test = boxed ? { ...draft, values: { ...draft.values, test: "true" } } : draft;
  if (test.body === null || findLiveMailType(test, template) === null) return test;
  const body: unknown = JSON.parse(test.body);
  return { ...test, body: isObject(body) ? JSON.stringify({ ...body, test: true }, null, 2) : null };
}

/** Whether a draft says nothing of its own: then there is nothing to keep. The test box does not count. */
export function isFresh(draft: Draft, template: CallTemplate): boolean {
  const opened = openDraft(template);
  const { test: _, ...values } = draft.values;
  return isSameDraft({ ...draft, values: { ...opened.values, ...values } }, opened);
}

/** Whether two drafts hold the same, but for a recipient that only stands in. */
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

/** `16:05`, and the day where it is not today's; in the browser's zone. */
export function formatSavedTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (then.toDateString() === today.toDateString()) return time;
  return `${then.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time}`;
}

function isFile(file: unknown): boolean {
  return isObject(file) && typeof file.name === "string" && typeof file.bytes === "number";
}

function isPair(pair: unknown): boolean {
  return isObject(pair) && typeof pair.name === "string" && typeof pair.value === "string";
}

function isContent(content: unknown): content is StoredFile {
  return isObject(content) && typeof content.stamp === "string" && typeof content.base64 === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
