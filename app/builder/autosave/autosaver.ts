import type { CallTemplate, Draft } from "../draft";
import { dropStash, dropStored, findStash, findStored, putStored, stashDraft } from "./draft-store";
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

/** How long after the last change a draft is stored. */
const PAUSE_MS = 500;

/** What came of a live send, as far as it matters for keeping what was sent. */
export type LiveStep = "begun" | "accepted" | "refused" | "unknown";

/** Keeps the draft of one form while it is open; nothing here ever waits for the store, or fails with it. */
export class Autosaver {
  private ready = false;
  /** Whether something of this form lies in the store. */
  private stored = false;
  private doubtful = false;
  private filesFit = true;
  private latest: Draft | null = null;
  private pending: Draft | null = null;
  /** What is on its way into the store. */
  private unstored: StoredDraft | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The contents that lie in the store. */
  private readonly contents = new Map<string, StoredFile>();
  private readonly fileFields: string[];

  /**
   * @param base what needs no keeping: the draft as the form opened, or as it lies in the store; null when what it
   * opened with is the user's own
   */
  constructor(
    private readonly key: string,
    private readonly template: CallTemplate,
    private base: Draft | null,
    private readonly onStored: () => void,
  ) {
    this.fileFields = template.fields.filter(({ type }) => type === "file").map(({ name }) => name);
  }

  /** The draft that was kept, or null. From then on changes are kept. */
  async load(): Promise<RestoredDraft | null> {
    const found = await findStored(this.key, this.fileFields);
    const stash = parseStoredDraft(findStash(this.key));
    const stored = parseStoredDraft(found?.stored);
    this.stored = found !== null || stash !== null;
    this.ready = true;
    if (this.pending) this.schedule();
    const latest = stash && stash.savedAt > (stored?.savedAt ?? 0) ? stash : stored;
    return latest && restoreDraft(latest, found?.contents ?? {}, this.template);
  }

  /** The kept draft is in the form again. */
  adopt({ draft, doubtful }: RestoredDraft): void {
    this.base = draft;
    this.doubtful = doubtful;
  }

  /** Whether the form still says nothing of its own. */
  isUntouched(): boolean {
    return this.latest === null || isFresh(this.latest, this.template);
  }

  /** The form holds this now. */
  note(draft: Draft): void {
    this.latest = draft;
    this.pending = draft;
    if (this.ready) this.schedule();
  }

  /** Stores what is not stored yet, without waiting for a pause. */
  flush(): void {
    clearTimeout(this.timer);
    const draft = this.pending;
    if (!draft) return;
    // As long as nobody knows what was kept, an empty form takes nothing away; what was typed counts more than it.
    if (!this.ready && isFresh(draft, this.template)) return;
    this.pending = null;
    if (this.base && isSameDraft(draft, this.base)) return;
    if (isFresh(draft, this.template)) this.drop(draft);
    else void this.store(draft);
  }

  /** The page may be gone in a moment, and the store not have everything yet. */
  leave(): void {
    this.flush();
    if (this.unstored) stashDraft(this.key, this.unstored);
  }

  /** Forgets what was kept; `draft` stays in the form. */
  drop(draft: Draft): void {
    clearTimeout(this.timer);
    this.pending = null;
    this.base = draft;
    this.doubtful = false;
    this.contents.clear();
    this.unstored = null;
    dropStash(this.key);
    if (this.stored) void dropStored(this.key, this.fileFields);
    this.stored = false;
  }

  /**
   * A draft that was mailed must not come back as if it were still to be sent: once accepted it is forgotten, and
   * as long as nobody knows, it says so.
   */
  noteLive(sent: Draft, step: LiveStep): void {
    const latest = this.latest ?? sent;
    if (step === "accepted" && isSameDraft(latest, sent)) {
      this.drop(latest);
      this.onStored();
      return;
    }
    this.doubtful = step === "begun" || step === "unknown";
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
    if (this.filesFit && (await this.put(draft, fresh))) return this.onStored();
    // The store is full: the form alone takes little. It may have changed meanwhile.
    this.filesFit = false;
    this.contents.clear();
    if (await this.put(this.base, {})) this.onStored();
  }

  private async put(draft: Draft, fresh: Record<string, StoredFile>): Promise<boolean> {
    const packed = packDraft(draft, {
      savedAt: Date.now(),
      stamps: Object.fromEntries([...this.contents].map(([field, { stamp }]) => [field, stamp])),
      doubtful: this.doubtful,
      ...(this.filesFit ? {} : { limitBytes: 0 }),
    });
    const kept = Object.keys(packed.draft.files);
    const unwanted = this.fileFields.filter((field) => !kept.includes(field));
    for (const field of unwanted) this.contents.delete(field);
    const fitting = Object.entries(fresh).filter(([field]) => kept.includes(field));
    this.unstored = packed;
    const done = await putStored(this.key, packed, Object.fromEntries(fitting), unwanted);
    if (done && this.unstored === packed) {
      this.unstored = null;
      dropStash(this.key);
    }
    return done;
  }
}
