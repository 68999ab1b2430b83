import type { PresetCall } from "~/catalogue/types";
import { isRecord } from "~/platform/json-value";
import { type ChosenFile, type Draft, openPreset, removeFallbackRecipient } from "./draft";
import {
  claimEntry,
  dropStored,
  dropUnused,
  findStored,
  loadFiles,
  putFiles,
  putStored,
} from "./draft-store";
import { findLiveMailType } from "./mode";
import { RECIPIENT_CHOICE } from "./recipients";

/** Delay between the last change and the save. */
const PAUSE_MS = 500;

export type LiveStep = "begun" | "accepted" | "refused" | "unknown";

/** Saves the draft of one open form. The form never waits for the store, and a failing store does not break it. */
export class Autosaver {
  private ready = false;
  /** The name of the stored draft; null until it is known, or when the browser forbids storage. */
  private entry: string | null = null;
  private sent: { draft: Draft; key: string } | null = null;
  private filesFit = true;
  private latest: Draft | null = null;
  /** Grows with each draft that is stored or dropped. */
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The stamps of the stored files by their content. */
  private stamps = new Map<string, string>();

  /**
   * @param base the draft that need not be saved: as the form opened, or as it is stored; null if the form opened with
   * the user's own content
   */
  constructor(
    private readonly key: string,
    private readonly call: PresetCall,
    private base: Draft | null,
  ) {}

  /** Loads the saved draft, or null. Changes are saved from then on. */
  async load(): Promise<RestoredDraft | null> {
    try {
      this.entry = await claimEntry(this.key);
      const stored = parseStoredDraft(findStored(this.entry));
      const contents = await loadFiles(Object.values(stored?.stamps ?? {}));
      return stored && restoreDraft(stored, contents, this.call);
    } catch {
      // It was changed by hand, or storage is forbidden.
      return null;
    } finally {
      void dropUnused();
      this.ready = true;
    }
  }

  /** Call it when the saved draft was put into the form. */
  adopt(draft: Draft): void {
    this.base = draft;
    this.latest = draft;
  }

  /** True when nothing was entered into the form yet. */
  isUntouched(): boolean {
    return this.latest === null || isFresh(this.latest, this.call);
  }

  update(draft: Draft): void {
    this.latest = draft;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Stores changes now, without waiting for a pause. */
  flush(): void {
    clearTimeout(this.timer);
    const draft = this.latest;
    if (draft === null || this.entry === null || (this.base && isSameDraft(draft, this.base))) return;
    if (!isFresh(draft, this.call)) void this.store(draft);
    // Before the saved draft is loaded, an empty form must not delete it. Typed content replaces it.
    else if (this.ready) this.drop(draft);
  }

  /** Deletes the saved draft; `draft` stays in the form. */
  drop(draft: Draft): void {
    clearTimeout(this.timer);
    this.turn++;
    this.latest = draft;
    this.base = draft;
    this.sent = null;
    this.stamps.clear();
    if (this.entry !== null) dropStored(this.entry);
    void dropUnused();
  }

  /** Deletes the saved draft for a fresh start, and returns `draft` as a test. */
  setAside(draft: Draft): Draft {
    this.drop(draft);
    return toTest(draft, this.call);
  }

  /**
   * A draft that was mailed must not return as if it were unsent. Once accepted it is emptied; the saved draft has the key
   * of the send, by which the next page looks up its outcome.
   */
  recordLive(sent: Draft, step: LiveStep, key: string): void {
    const latest = this.latest ?? sent;
    // The mode may have changed during the send.
    if (step === "accepted" && isSameMail(latest, sent)) {
      this.drop(latest);
      // A page that is reloaded as the answer arrives still says what was sent.
      if (this.entry !== null) putStored(this.entry, packDraft(openPreset(this.call), this.stamps, key));
      removeDraftFromAddress();
      return;
    }
    this.sent = step === "begun" || step === "unknown" ? { draft: sent, key } : null;
    void this.store(latest);
  }

  private async store(draft: Draft): Promise<void> {
    this.base = draft;
    const turn = ++this.turn;
    const known = this.stamps;
    const contents = Object.keys(draft.files).map((field) => draft.values[field] ?? "");
    this.stamps = new Map(contents.map((content) => [content, known.get(content) ?? crypto.randomUUID()]));
    const saved = this.save(draft);
    if (!saved) return;
    const fresh = [...this.stamps].filter(([content, stamp]) => !known.has(content) && saved.includes(stamp));
    if (fresh.length > 0) {
      const fit = await putFiles(new Map(fresh.map(([content, stamp]) => [stamp, content])));
      // The form has changed since, or its draft was dropped.
      if (turn !== this.turn) return;
      // The store is full, but the form without files is small.
      this.filesFit = fit;
      if (!fit) this.save(draft);
    }
    if (known.size > 0) void dropUnused();
    removeDraftFromAddress();
  }

  /** Saves the draft without the contents of its files. Returns the stamps of those that belong to it; null if it failed. */
  private save(draft: Draft): string[] | null {
    const { sent, entry } = this;
    if (entry === null) return null;
    const packed = packDraft(draft, this.stamps, sent?.key ?? null, this.filesFit ? undefined : 0);
    const isEdited = sent !== null && !isSameMail(draft, sent.draft);
    return putStored(entry, { ...packed, isEdited }) ? Object.values(packed.stamps) : null;
  }
}

/** Removes `?draft=` from the URL: the saved draft is newer, so a reload must not restore the parked one. */
function removeDraftFromAddress(): void {
  const url = new URL(window.location.href);
  if (!url.searchParams.has("draft")) return;
  url.searchParams.delete("draft");
  window.history.replaceState(window.history.state, "", url);
}

/** A mail form as this browser stores it. */
export interface StoredDraft {
  version: typeof VERSION;
  savedAt: number;
  /** Without the contents of files. */
  draft: Draft;
  /**
   * Names of the entries with the file contents, by field. Each content has its own, because two tabs may write at once.
   * A file that was too large to be saved has none.
   */
  stamps: Record<string, string>;
  /** Idempotency key of a live send whose outcome the page did not know, or its tested piece's ID; null otherwise. */
  sentKey: string | null;
  /** True when the draft was changed after that send. */
  isEdited?: boolean;
}

/** A saved draft, restored with the contents of its files. */
export interface RestoredDraft extends Pick<StoredDraft, "draft" | "savedAt" | "sentKey" | "isEdited"> {
  /** Names of files whose content is not stored. */
  missing: string[];
  live: boolean;
}

const VERSION = 2;
/** Files up to this total are saved with their draft. */
export const MAX_SAVED_FILES_BYTES = 12_000_000;

/** Packs a draft for storage. Files are included in order while they fit; `limitBytes` 0 omits all. */
export function packDraft(
  draft: Draft,
  stamps: ReadonlyMap<string, string>,
  sentKey: string | null,
  limitBytes = MAX_SAVED_FILES_BYTES,
): StoredDraft {
  const { fallbackRecipient: _, ...own } = removeFallbackRecipient(draft);
  const values = { ...own.values };
  const saved: Record<string, string> = {};
  let left = limitBytes;
  for (const [name, { bytes }] of Object.entries(own.files)) {
    values[name] = "";
    if (bytes > left) continue;
    left -= bytes;
    saved[name] = stamps.get(own.values[name] ?? "") ?? "";
  }
  return { version: VERSION, savedAt: Date.now(), draft: { ...own, values }, stamps: saved, sentKey };
}

/** Parses a stored entry; null if it is no draft, or one of another version of Mailroom. */
export function parseStoredDraft(stored: unknown): StoredDraft | null {
  return isRecord(stored) && stored.version === VERSION ? (stored as unknown as StoredDraft) : null;
}

/**
 * Restores a stored draft for the fields that the form has now, with the files whose contents are stored. It is always
 * a test, because live mode belongs to one page and is never stored.
 */
export function restoreDraft(
  { draft, savedAt, stamps, sentKey, isEdited }: StoredDraft,
  contents: ReadonlyMap<string, unknown>,
  call: PresetCall,
): RestoredDraft {
  const opened = openPreset(call);
  const names = call.fields.map((field) => field.name);
  if (draft.values[RECIPIENT_CHOICE]) names.push(RECIPIENT_CHOICE);
  const values = Object.fromEntries(
    names.map((name) => [name, String(draft.values[name] ?? opened.values[name] ?? "")]),
  );
  const files: Record<string, ChosenFile> = {};
  const missing: string[] = [];
  for (const [name, file] of Object.entries(draft.files)) {
    const content = contents.get(stamps[name] ?? "");
    if (names.includes(name) && typeof content === "string") {
      values[name] = content;
      files[name] = file;
    } else missing.push(file.name);
  }
  const live = draft.values.test !== "true";
  return { draft: toTest({ ...draft, values, files }, call), savedAt, missing, live, sentKey, isEdited };
}

/** Turns the draft into a test: its box is ticked, and a body edited by hand is changed if it would be live mail. */
function toTest(draft: Draft, call: PresetCall): Draft {
  const boxed = draft.values.test !== undefined && draft.values.test !== "true";
  const test = boxed ? { ...draft, values: { ...draft.values, test: "true" } } : draft;
  if (test.body === null || findLiveMailType(test, call) === null) return test;
  const body: unknown = test.body.trim() === "" ? {} : JSON.parse(test.body);
  return { ...test, body: isRecord(body) ? JSON.stringify({ ...body, test: true }, null, 2) : null };
}

/** True when nothing was entered yet, so that there is nothing to save. The test box does not count. */
export function isFresh(draft: Draft, call: PresetCall): boolean {
  return isSameMail(draft, openPreset(call));
}

/** {@link isSameDraft} for two drafts of which one may be a test. */
function isSameMail(draft: Draft, other: Draft): boolean {
  const { test: _, ...values } = draft.values;
  return isSameDraft({ ...draft, values: { ...other.values, ...values } }, other);
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
