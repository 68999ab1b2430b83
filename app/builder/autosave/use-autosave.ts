import { useCallback, useEffect, useRef, useState } from "react";
import { addFallbackRecipient, type CallTemplate, type Draft } from "../draft";
import { FALLBACK_RECIPIENT } from "../editor/recipients";
import { Autosaver, type LiveStep } from "./autosaver";
import { type RestoredDraft, toTest } from "./saved-draft";

/** How a form was opened; each opening is an object of its own. */
export interface DraftOrigin {
  /**
   * `fresh`: as the preset has it, and the kept draft comes back into it. `given`: by the server, with what was
   * posted or waited for a payment, which counts instead. `chosen`: from history or by Load & Send, and the kept draft
   * waits beside it.
   */
  as: "fresh" | "given" | "chosen";
  /** It was sent live already, and not refused. */
  mailed?: boolean;
}

/** A kept draft, and whether it is in the form or was set aside. */
export interface SavedDraftLine extends RestoredDraft {
  inForm: boolean;
}

export interface AutosaveView {
  /** Null where there is nothing to say. */
  line: SavedDraftLine | null;
  /** Grows with each fresh start, so that what the fields remember goes too. */
  freshStarts: number;
  startFresh: () => void;
  bringBack: () => void;
  /** A live send begins; the answer is told what came of it. */
  beginLive: (sent: Draft) => (step: LiveStep) => void;
}

/**
 * Keeps the draft of a form in this browser over reloads, log-ins and other presets.
 * @param key whose draft of which form; null keeps nothing
 * @param reopen puts a draft, or the preset's own, into the form
 */
export function useAutosave({
  key,
  template,
  draft,
  opened,
  reopen,
}: {
  key: string | null;
  template: CallTemplate;
  draft: Draft;
  opened: DraftOrigin;
  reopen: (draft?: Draft) => void;
}): AutosaveView {
  const [line, setLine] = useState<SavedDraftLine | null>(null);
  const [freshStarts, setFreshStarts] = useState(0);
  const autosaver = useRef<Autosaver | null>(null);
  const now = useRef({ template, draft, reopen });
  now.current = { template, draft, reopen };

  useEffect(() => {
    if (key === null) return;
    const { template, draft } = now.current;
    const mine = new Autosaver(
      key,
      template,
      opened.as === "given" && !opened.mailed ? null : draft,
      forgetAddress,
    );
    autosaver.current = mine;
    mine.load().then((kept) => {
      if (autosaver.current !== mine) return;
      if (opened.mailed) mine.drop(draft);
      if (opened.as === "given" || !kept) return;
      const inForm = opened.as === "fresh" && mine.isUntouched();
      const back = { ...kept, draft: addFallbackLike(kept.draft, now.current.draft) };
      if (inForm) {
        mine.adopt(back);
        now.current.reopen(back.draft);
      }
      setLine({ ...back, inForm });
    });
    return () => {
      mine.flush();
      autosaver.current = null;
      setLine(null);
    };
  }, [key, opened]);

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
    const mine = autosaver.current;
    mine?.noteLive(sent, "begun");
    return (step: LiveStep) => mine?.noteLive(sent, step);
  }, []);
  return {
    line,
    freshStarts,
    beginLive,
    startFresh: () => {
      autosaver.current?.drop(draft);
      setLine((last) => last && { ...last, draft: toTest(draft, template), inForm: false });
      setFreshStarts(freshStarts + 1);
      reopen();
    },
    bringBack: () => {
      if (!line) return;
      setLine({ ...line, inForm: true });
      reopen(addFallbackLike(line.draft, draft));
    },
  };
}

/** Where the recipients could not be had, the one that stands in does so for this draft too. */
function addFallbackLike(draft: Draft, shown: Draft): Draft {
  return shown.fallbackRecipient ? addFallbackRecipient(draft, FALLBACK_RECIPIENT) : draft;
}

/** What this browser keeps is newer than the draft that an address brings back after a payment. */
function forgetAddress(): void {
  const url = new URL(window.location.href);
  if (!url.searchParams.has("draft")) return;
  url.searchParams.delete("draft");
  window.history.replaceState(window.history.state, "", url);
}
