import { useCallback, useEffect, useRef, useState } from "react";
import { addFallbackRecipient, type CallTemplate, type Draft } from "../draft";
import { FALLBACK_RECIPIENT } from "../editor/recipient/fallback-recipient";
import type { Autosaver, LiveStep } from "./autosaver";
import type { RestoredDraft, toTest } from "./saved-draft";

/** Where the draft in the form comes from. Each opening is a new object. */
export interface DraftOrigin {
  /**
   * `fresh`: from the preset; the saved draft is restored into it, unless somebody writes there already. `given`:
   * from the server, which posted it back or parked it during a payment; it replaces the saved draft. `chosen`: from
   * history or by Load & Send; the saved draft is set aside.
   */
  as: "fresh" | "given" | "chosen";
  /** It was already sent live, and not refused. */
  mailed?: boolean;
}

interface SavedDraft extends RestoredDraft {
  /** Whether it is in the form or set aside. */
  inForm: boolean;
}

export interface AutosaveView {
  /** Null when there is nothing to tell. */
  savedDraft: SavedDraft | null;
  /** Grows with each fresh start, so that the fields lose their own state too. */
  freshStarts: number;
  startFresh: () => void;
  restore: () => void;
  /** Call it when a live send begins. The function it returns is told the outcome. */
  beginLive: (sent: Draft) => (step: LiveStep) => void;
}

/**
 * Saves the draft of a form in this browser, over reloads, log-ins and other presets.
 * @param editor what saves comes with the editor, without which there is nothing to save
 * @param key of the person and the form; null saves nothing
 * @param replaceDraft puts a draft, or the preset's own, into the form
 */
export function useAutosave({
  editor,
  key,
  template,
  draft,
  origin,
  replaceDraft,
}: {
  editor: { Autosaver: typeof Autosaver; toTest: typeof toTest } | null;
  key: string | null;
  template: CallTemplate;
  draft: Draft;
  origin: DraftOrigin;
  replaceDraft: (draft?: Draft) => void;
}): AutosaveView {
  const [savedDraft, setSavedDraft] = useState<SavedDraft | null>(null);
  const [freshStarts, setFreshStarts] = useState(0);
  const autosaver = useRef<Autosaver | null>(null);
  const latest = useRef({ template, draft, replaceDraft });
  latest.current = { template, draft, replaceDraft };

  useEffect(() => {
    if (key === null || editor === null) return;
    const { template, draft } = latest.current;
    const base = origin.as === "given" && !origin.mailed ? null : draft;
    const current = new editor.Autosaver(key, template, base, removeDraftFromAddress);
    autosaver.current = current;
    current.load().then((found) => {
      if (autosaver.current !== current) return;
      if (origin.mailed) current.drop(draft);
      if (origin.as === "given" || !found) return;
      const inForm = origin.as === "fresh" && current.isUntouched() && !isWriting();
      const restored = { ...found, draft: addFallbackLike(found.draft, latest.current.draft) };
      if (inForm) {
        current.adopt(restored);
        latest.current.replaceDraft(restored.draft);
      }
      setSavedDraft({ ...restored, inForm });
    });
    return () => {
      current.flush();
      autosaver.current = null;
      setSavedDraft(null);
    };
  }, [editor, key, origin]);

  useEffect(() => autosaver.current?.note(draft), [draft]);

  useEffect(() => {
    const leave = () => autosaver.current?.leave();
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
    };
  }, []);

  const beginLive = useCallback((sent: Draft) => {
    const current = autosaver.current;
    current?.noteLive(sent, "begun");
    return (step: LiveStep) => current?.noteLive(sent, step);
  }, []);
  return {
    savedDraft,
    freshStarts,
    beginLive,
    startFresh: () => {
      autosaver.current?.drop(draft);
      setSavedDraft((last) =>
        last && editor ? { ...last, draft: editor.toTest(draft, template), inForm: false } : last,
      );
      setFreshStarts(freshStarts + 1);
      replaceDraft();
    },
    restore: () => {
      if (!savedDraft) return;
      setSavedDraft({ ...savedDraft, inForm: true });
      replaceDraft(addFallbackLike(savedDraft.draft, draft));
    },
  };
}

/** Whether somebody is in a text of the form: what they type next must not be mixed with a draft that arrives. */
function isWriting(): boolean {
  return document.activeElement?.matches('textarea, input[name^="field."]') ?? false;
}

/** If the form uses the fallback recipient because none could be loaded, the restored draft does so too. */
function addFallbackLike(draft: Draft, shown: Draft): Draft {
  return shown.fallbackRecipient ? addFallbackRecipient(draft, FALLBACK_RECIPIENT) : draft;
}

/** The saved draft is newer than the parked one in the address (`?draft=`), so a reload must not bring that back. */
function removeDraftFromAddress(): void {
  const url = new URL(window.location.href);
  if (!url.searchParams.has("draft")) return;
  url.searchParams.delete("draft");
  window.history.replaceState(window.history.state, "", url);
}
