import { useReducer } from "react";
import type { Method } from "~/catalogue/types";
import {
  type CallTemplate,
  type ChosenFile,
  type Draft,
  dropFallbackUnlessTest,
  openDraft,
  type Pair,
} from "./draft";
import { alignFallbackRecipient } from "./editor/recipients";

export type DraftChange =
  | { type: "open"; template: CallTemplate; draft?: Draft }
  | { type: "method"; method: Method }
  | { type: "path"; path: string }
  | { type: "value"; name: string; value: string }
  | { type: "file"; name: string; value: string; file: ChosenFile | null }
  | { type: "pairs"; kind: "query" | "headers"; pairs: Pair[] }
  | { type: "body"; body: string | null }
  /** The same content once more, as a request of its own. */
  | { type: "again" }
  /** The list of recipients was asked for: a stand-in is there only while it brings nobody. */
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
    case "again":
      return draft;
  }
}

interface Drafting {
  draft: Draft;
  /** Grows with every change, so that each content has an idempotency key of its own. */
  revision: number;
}

/** The draft in the page. What was posted stands for what the template opens with. */
export function useDraft(template: CallTemplate, posted: Draft | null) {
  return useReducer(
    (drafting: Drafting, change: DraftChange): Drafting => {
      const draft = changeDraft(drafting.draft, change);
      // A list that changed nothing is no other content: what is sent again with its key is done once.
      if (change.type === "recipients" && draft === drafting.draft) return drafting;
      return { draft, revision: drafting.revision + 1 };
    },
    { draft: posted ?? openDraft(template), revision: 0 },
  );
}
