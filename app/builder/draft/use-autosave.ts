import { useEffect, useRef, useState } from "react";
import type { PresetCall } from "~/catalogue/types";
import type { Autosaver, LiveStep, RestoredDraft } from "./autosaver";
import { addFallbackRecipient, type Draft } from "./draft";

/** The live send that was under way when the page was left, as the API describes its piece. */
export interface EarlierSend {
  type: "postcard" | "letter";
  state: string;
  recipient: string | null;
  created_at: string;
  note: string | null;
  id: string;
}

/** The source of the draft in the form. Each opening is a new object. */
export interface DraftOrigin {
  /**
   * `fresh`: from the preset; the saved draft is restored into it, unless a person writes there already. `given`:
   * from the server, which posted it back or parked it during a payment; it replaces the saved draft. `chosen`: from a
   * stored response, history, a template or by Load & Send; the saved draft is set aside.
   */
  as: "fresh" | "given" | "chosen";
  /** It was already sent live, and not refused. */
  mailed?: boolean;
}

/** Polling of a send that the server does not know: its request may still be on its way. */
const POLL_MS = 2_000;
const ARRIVES_WITHIN_MS = 10_000;

interface SavedDraft extends RestoredDraft {
  /** True when it is in the form, false when it is set aside. */
  inForm: boolean;
  /** It was sent live, and no one knows yet if it was mailed. */
  isOutcomeUnknown: boolean;
}

/** A live send during which the page was left; `send` is null when the server has not received it. */
interface LeftSend {
  send: EarlierSend | null;
  isOpen: boolean;
}

export type AutosaveView = ReturnType<typeof useAutosave>;

interface AutosaveParts {
  editor: { Autosaver: typeof Autosaver } | null;
  key: string | null;
  call: PresetCall;
  draft: Draft;
  origin: DraftOrigin;
  replaceDraft: (draft?: Draft) => void;
}

/** Saves the draft of a form in this browser, over reloads, log-ins and other presets. Without a key it saves nothing. */
export function useAutosave({ editor, key, call, draft, origin, replaceDraft }: AutosaveParts) {
  const [savedDraft, setSavedDraft] = useState<SavedDraft | null>(null);
  const [earlier, setEarlier] = useState<LeftSend | null>(null);
  /** Grows with each fresh start, so that the fields lose their own state too. */
  const [freshStarts, setFreshStarts] = useState(0);
  const autosaver = useRef<Autosaver | null>(null);
  const latest = useRef({ call, draft, replaceDraft });
  latest.current = { call, draft, replaceDraft };

  useEffect(() => {
    if (key === null || editor === null) return;
    const { call, draft } = latest.current;
    const base = origin.as === "given" && !origin.mailed ? null : draft;
    const current = new editor.Autosaver(key, call, base);
    autosaver.current = current;
    const left = new AbortController();
    const { signal } = left;
    const save = () => current.flush();
    window.addEventListener("pagehide", save, { signal });
    document.addEventListener("visibilitychange", save, { signal });
    current.load().then(async (saved) => {
      if (signal.aborted) return;
      if (origin.mailed) current.drop(draft);
      if (origin.as === "given" || !saved) return;
      const fate = saved.sentKey === null ? "not sent" : await followSend(saved.sentKey, signal, setEarlier);
      if (signal.aborted) return;
      if (fate === "sent" && !saved.isEdited) {
        if (current.isUntouched()) current.drop(latest.current.draft);
        return;
      }
      const inForm = fate !== "unknown" && origin.as === "fresh" && current.isUntouched() && !isWriting();
      const restored = addFallbackLike(saved.draft, latest.current.draft);
      if (inForm) {
        current.adopt(restored);
        latest.current.replaceDraft(restored);
      }
      setSavedDraft({ ...saved, draft: restored, inForm, isOutcomeUnknown: fate === "unknown" });
    });
    return () => {
      current.flush();
      left.abort();
      autosaver.current = null;
      setSavedDraft(null);
      setEarlier(null);
    };
  }, [editor, key, origin]);

  useEffect(() => autosaver.current?.update(draft), [draft]);

  /** Call it when a live send begins. Call the returned function with the outcome. */
  const beginLive = (sent: Draft, key: string) => {
    const current = autosaver.current;
    setEarlier(null);
    current?.recordLive(sent, "begun", key);
    return (step: LiveStep) => current?.recordLive(sent, step, key);
  };
  return {
    savedDraft,
    earlier,
    freshStarts,
    beginLive,
    startFresh: () => {
      const aside = autosaver.current?.setAside(draft);
      setSavedDraft((last) => last && { ...last, draft: aside ?? last.draft, inForm: false });
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

/** Looks up a live send by its key until its outcome is known, or the page has another form. */
async function followSend(
  key: string,
  signal: AbortSignal,
  report: (earlier: LeftSend) => void,
): Promise<"sent" | "not sent" | "unknown"> {
  const until = Date.now() + ARRIVES_WITHIN_MS;
  for (;;) {
    const send = await fetchSend(key);
    if (signal.aborted || send === "unknown") return "unknown";
    const isOpen = send === null ? Date.now() < until : send.state === "checking";
    report({ send, isOpen });
    if (!isOpen) return send === null || send.state === "refused" ? "not sent" : "sent";
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function fetchSend(key: string): Promise<EarlierSend | null | "unknown"> {
  try {
    const reply = await fetch(`/api/pieces?${new URLSearchParams({ idempotency_key: key })}`);
    const { data } = (await reply.json()) as { data?: EarlierSend[] };
    return reply.ok && data ? (data[0] ?? null) : "unknown";
  } catch {
    return "unknown";
  }
}

/** True while a person types in the form: a draft that arrives must not be mixed into their text. */
function isWriting(): boolean {
  return document.activeElement?.matches('textarea, input[name^="field."]') ?? false;
}

/** If the form uses the fallback recipient because none could be loaded, the restored draft does so too. */
function addFallbackLike(draft: Draft, shown: Draft): Draft {
  return shown.fallbackRecipient ? addFallbackRecipient(draft) : draft;
}
