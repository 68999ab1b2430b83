import { useCallback, useMemo, useReducer } from "react";
import type { Method } from "~/catalogue/types";
import {
  type CallTemplate,
  type ChosenFile,
  type Draft,
  dropFallbackUnlessTest,
  findMailKind,
  openDraft,
  type Pair,
} from "./draft";
import { applyMode } from "./mode";
import { alignFallbackRecipient } from "./recipients";
import type { Mode } from "./use-mode";

export type DraftChange =
  | { type: "open"; template: CallTemplate; draft?: Draft }
  | { type: "method"; method: Method }
  | { type: "path"; path: string }
  | { type: "value"; name: string; value: string }
  | { type: "file"; name: string; value: string; file: ChosenFile | null }
  /** A file is being read for this field, or is so no longer. */
  | { type: "reading"; name: string; on: boolean }
  | { type: "pairs"; kind: "query" | "headers"; pairs: Pair[] }
  | { type: "body"; body: string | null }
  /** The same content again, as a new request. */
  | { type: "again" }
  /** Recipients were loaded. The fallback recipient is used only while there are none. */
  | { type: "recipients"; some: boolean };

/** The next draft after one change in the form. */
function changeDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case "open":
      return change.draft ?? openDraft(change.template);
    case "method":
      return { ...draft, method: change.method };
    case "path":
      return { ...draft, path: change.path };
    case "value": {
      const next = { ...draft, values: { ...draft.values, [change.name]: change.value } };
      return change.name === "recipient"
        ? { ...next, fallbackRecipient: false }
        : dropFallbackUnlessTest(next);
    }
    case "recipients":
      return alignFallbackRecipient(draft, change.some);
    case "file": {
      const { [change.name]: _former, ...others } = draft.files;
      return {
        ...draft,
        values: { ...draft.values, [change.name]: change.value },
        files: change.file ? { ...others, [change.name]: change.file } : others,
      };
    }
    case "pairs":
      return { ...draft, [change.kind]: change.pairs };
    case "body":
      return { ...draft, body: change.body };
    case "reading":
    case "again":
      return draft;
  }
}

interface DraftState {
  draft: Draft;
  /** Grows with every change, so that each content has its own idempotency key. */
  revision: number;
  /** Fields whose file is being read. */
  reading: readonly string[];
}

/** The draft of the page. A posted draft replaces the one that the template opens with. */
function useDraft(template: CallTemplate, posted: Draft | null) {
  return useReducer(
    (state: DraftState, change: DraftChange): DraftState => {
      const draft = changeDraft(state.draft, change);
      // A list that changes nothing keeps the idempotency key, so that sending again is still done once.
      if (change.type === "recipients" && draft === state.draft) return state;
      if (change.type === "reading") {
        const others = state.reading.filter((name) => name !== change.name);
        return { ...state, reading: change.on ? [...others, change.name] : others };
      }
      const reading = change.type === "open" ? [] : state.reading;
      return { draft, revision: state.revision + 1, reading };
    },
    { draft: posted ?? openDraft(template), revision: 0, reading: [] },
  );
}

/**
 * The draft with the page's mode applied. The test box of a mail form switches the mode. The stored draft is always a
 * test, so that live mode never outlasts the page.
 */
export function useDraftInMode(template: CallTemplate, posted: Draft | null, mode: Mode) {
  const [{ draft: written, revision, reading }, write] = useDraft(
    template,
    posted && applyMode(posted, template, false),
  );
  const live = mode.until !== null;
  const draft = useMemo(() => applyMode(written, template, live), [written, template, live]);
  const mail = findMailKind(template) !== null;
  const { switchTo } = mode;
  const change = useCallback(
    (asked: DraftChange) => {
      if (mail && asked.type === "value" && asked.name === "test") switchTo(asked.value !== "true");
      else if (asked.type === "open" && asked.draft) {
        write({ ...asked, draft: applyMode(asked.draft, asked.template, false) });
      } else write(asked);
    },
    [mail, switchTo, write],
  );
  return { draft, revision, reading, change };
}
