import { type CallTemplate, type Draft, openPreset } from "./draft";
import { dropOld, dropStored, findStored, loadFiles, putFiles, putStored } from "./draft-store";
import {
  isFresh,
  isSameDraft,
  packDraft,
  parseStoredDraft,
  type RestoredDraft,
  restoreDraft,
  type StoredDraft,
  type StoredFile,
} from "./saved-draft";

/** Delay between the last change and the save. */
const PAUSE_MS = 500;

/** Progress of a live send. */
export type LiveStep = "begun" | "accepted" | "refused" | "unknown";

/** Saves the draft of one open form. The form never waits for the store, and a failing store does not break it. */
export class Autosaver {
  private ready = false;
  /** True when the store has a draft of this form. */
  private stored = false;
  private sentKey: string | null = null;
  private filesFit = true;
  private latest: Draft | null = null;
  private pending: Draft | null = null;
  /** Grows with each draft that is stored or dropped. */
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The file contents in the store. */
  private readonly contents = new Map<string, StoredFile>();
  private readonly fileFields: string[];

  /**
   * @param base the draft that need not be saved: as the form opened, or as it is stored; null if the form opened with
   * the user's own content
   */
  constructor(
    private readonly key: string,
    private readonly template: CallTemplate,
    private base: Draft | null,
    private readonly onStored: () => void,
  ) {
    this.fileFields = template.fields.filter(({ type }) => type === "file").map(({ name }) => name);
  }

  /** Loads the saved draft, or null. Changes are saved from then on. */
  async load(): Promise<RestoredDraft | null> {
    const stored = parseStoredDraft(findStored(this.key));
    const contents = stored ? await loadFiles(this.key, Object.keys(stored.draft.files)) : {};
    void dropOld().catch(() => undefined);
    this.stored = stored !== null;
    this.ready = true;
    if (this.pending) this.schedule();
    return stored && restoreDraft(stored, contents, this.template);
  }

  /** Call it when the saved draft was put into the form. */
  adopt({ draft, sentKey }: RestoredDraft): void {
    this.base = draft;
    this.sentKey = sentKey;
  }

  /** True when nothing was entered into the form yet. */
  isUntouched(): boolean {
    return this.latest === null || isFresh(this.latest, this.template);
  }

  /** Call it when the form has changed. */
  note(draft: Draft): void {
    this.latest = draft;
    this.pending = draft;
    if (this.ready) this.schedule();
  }

  /** Stores changes now, without waiting for a pause. */
  flush(): void {
    clearTimeout(this.timer);
    const draft = this.pending;
    if (!draft) return;
    // Before the saved draft is loaded, an empty form must not delete it. Typed content replaces it.
    if (!this.ready && isFresh(draft, this.template)) return;
    this.pending = null;
    if (this.base && isSameDraft(draft, this.base)) return;
    if (isFresh(draft, this.template)) this.drop(draft);
    else void this.store(draft);
  }

  /** Deletes the saved draft; `draft` stays in the form. */
  drop(draft: Draft): void {
    clearTimeout(this.timer);
    this.turn++;
    this.pending = null;
    this.base = draft;
    this.sentKey = null;
    this.contents.clear();
    dropStored(this.key);
    if (this.stored) void putFiles(this.key, {}, this.fileFields);
    this.stored = false;
  }

  /**
   * A draft that was mailed must not return as if it were unsent. Once accepted it is emptied; the saved draft has the key
   * of the send, by which the next page looks up its outcome.
   */
  noteLive(sent: Draft, step: LiveStep, key: string): void {
    const latest = this.latest ?? sent;
    if (step === "accepted" && isSameDraft(latest, sent)) {
      this.drop(latest);
      // A page that is reloaded as the answer arrives still says what was sent.
      const emptied = packDraft(openPreset(this.template), { savedAt: Date.now(), stamps: {}, sentKey: key });
      this.stored = true;
      putStored(this.key, emptied);
      this.onStored();
      return;
    }
    this.sentKey = step === "begun" || step === "unknown" ? key : null;
    this.pending = null;
    void this.store(latest);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  private async store(draft: Draft): Promise<void> {
    this.base = draft;
    this.stored = true;
    const fresh: Record<string, StoredFile> = {};
    for (const field of Object.keys(draft.files)) {
      const base64 = draft.values[field] ?? "";
      if (this.contents.get(field)?.base64 === base64) continue;
      fresh[field] = { stamp: crypto.randomUUID(), base64 };
      this.contents.set(field, fresh[field]);
    }
    const turn = ++this.turn;
    const done = this.filesFit && (await this.put(draft, fresh));
    // The form has changed since, or its draft was dropped.
    if (turn !== this.turn) return;
    if (!done) {
      // The store is full, but the form without files is small.
      this.filesFit = false;
      this.contents.clear();
      if (!this.save(draft)) return;
      void putFiles(this.key, {}, this.fileFields);
    }
    this.onStored();
  }

  private async put(draft: Draft, fresh: Record<string, StoredFile>): Promise<boolean> {
    const packed = this.save(draft);
    if (!packed) return false;
    const kept = Object.keys(packed.draft.files);
    const unwanted = this.fileFields.filter((field) => !kept.includes(field));
    for (const field of unwanted) this.contents.delete(field);
    const fitting = Object.entries(fresh).filter(([field]) => kept.includes(field));
    return putFiles(this.key, Object.fromEntries(fitting), unwanted);
  }

  /** Saves the draft without the contents of its files; null if that failed. */
  private save(draft: Draft): StoredDraft | null {
    const packed = packDraft(draft, {
      savedAt: Date.now(),
      stamps: Object.fromEntries([...this.contents].map(([field, { stamp }]) => [field, stamp])),
      sentKey: this.sentKey,
      ...(this.filesFit ? {} : { limitBytes: 0 }),
    });
    return putStored(this.key, packed) ? packed : null;
  }
}
