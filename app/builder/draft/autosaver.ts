import { type CallTemplate, type Draft, openPreset } from "./draft";
import { dropStored, dropUnused, findStored, loadFiles, putFiles, putStored } from "./draft-store";
import {
  isFresh,
  isSameDraft,
  packDraft,
  parseStoredDraft,
  type RestoredDraft,
  restoreDraft,
  toTest,
} from "./saved-draft";

/** Delay between the last change and the save. */
const PAUSE_MS = 500;

/** Progress of a live send. */
export type LiveStep = "begun" | "accepted" | "refused" | "unknown";

/** Saves the draft of one open form. The form never waits for the store, and a failing store does not break it. */
export class Autosaver {
  private ready = false;
  private sentKey: string | null = null;
  private filesFit = true;
  private latest: Draft | null = null;
  private pending: Draft | null = null;
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
    private readonly template: CallTemplate,
    private base: Draft | null,
    private readonly onStored: () => void,
  ) {}

  /** Loads the saved draft, or null. Changes are saved from then on. */
  async load(): Promise<RestoredDraft | null> {
    try {
      const stored = parseStoredDraft(findStored(this.key));
      const contents = await loadFiles(Object.values(stored?.stamps ?? {}));
      return stored && restoreDraft(stored, contents, this.template);
    } catch {
      // It was changed by hand.
      return null;
    } finally {
      void dropUnused();
      this.ready = true;
    }
  }

  /** Call it when the saved draft was put into the form. */
  adopt(draft: Draft): void {
    this.base = draft;
  }

  /** True when nothing was entered into the form yet. */
  isUntouched(): boolean {
    return this.latest === null || isFresh(this.latest, this.template);
  }

  /** Call it when the form has changed. */
  note(draft: Draft): void {
    this.latest = draft;
    this.pending = draft;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
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
    this.stamps.clear();
    dropStored(this.key);
    void dropUnused();
  }

  /** Deletes the saved draft for a fresh start, and returns `draft` as a test. */
  setAside(draft: Draft): Draft {
    this.drop(draft);
    return toTest(draft, this.template);
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
      putStored(this.key, packDraft(openPreset(this.template), this.stamps, key));
      this.onStored();
      return;
    }
    this.sentKey = step === "begun" || step === "unknown" ? key : null;
    this.pending = null;
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
    this.onStored();
  }

  /** Saves the draft without the contents of its files. Returns the stamps of those that belong to it; null if it failed. */
  private save(draft: Draft): string[] | null {
    const packed = packDraft(draft, this.stamps, this.sentKey, this.filesFit ? undefined : 0);
    return putStored(this.key, packed) ? Object.values(packed.stamps) : null;
  }
}
