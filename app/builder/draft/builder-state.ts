import { useCallback, useMemo, useReducer } from "react";
import type { PresetCall } from "~/catalogue/types";
import {
  addFallbackRecipient,
  type ChosenFile,
  type Draft,
  dropFallbackUnlessTest,
  findMailKind,
  openPreset,
  removeFallbackRecipient,
} from "./draft";
import { applyMode, type Mode } from "./mode";
import { type AddressCheck, type AddressPart, addressFieldName } from "./recipients";
import type { Problem } from "./request";
import type { DraftOrigin } from "./use-autosave";

type CurlShown = { notes: string[] } | { problem: string; command: string };

/** The draft, and the page's messages about it. */
export interface BuilderState {
  draft: Draft;
  /** Grows with every change of the draft, so that each content has its own idempotency key. */
  revision: number;
  /** Grows when a person opens another draft, so that a file that is still read is not attached to that. */
  openings: number;
  /** Fields whose file is being read. */
  reading: readonly string[];
  /** The files that a test waits for before it is sent; null if none waits. */
  awaited: AwaitedFile[] | null;
  attempted: boolean;
  problems: Problem[];
  curl: CurlShown | null;
  origin: DraftOrigin;
}

interface AwaitedFile {
  name: string;
  before: ChosenFile | undefined;
}

export type DraftChange =
  | { type: "set"; part: Partial<Pick<Draft, "method" | "path" | "query" | "headers" | "body">> }
  /** The draft after its path was parsed as a URL. */
  | { type: "address"; draft: Draft }
  | { type: "value"; name: string; value: string }
  | { type: "file"; name: string; value: string; file: ChosenFile | null }
  /** Reading a file for this field starts or ends. */
  | { type: "reading"; name: string; on: boolean }
  /** The same content again, as a new request. */
  | { type: "again" }
  /** Recipients were loaded. The fallback recipient is used only while there are none. */
  | { type: "recipients"; some: boolean };

/** Replaces the state when another draft is opened; without a draft, the preset's own is opened. */
export interface Opening extends Partial<Pick<BuilderState, "draft" | "curl" | "origin">> {}

export type BuilderChange =
  | DraftChange
  | ({ type: "open"; call: PresetCall } & Opening)
  /** The page's messages, which leave the draft as it is. */
  | { type: "show"; part: Partial<Pick<BuilderState, "awaited" | "attempted" | "problems" | "curl">> };

export function openState(draft: Draft, origin: DraftOrigin): BuilderState {
  return {
    draft,
    origin,
    revision: 0,
    openings: 0,
    reading: [],
    awaited: null,
    attempted: false,
    problems: [],
    curl: null,
  };
}

function changeState(state: BuilderState, change: BuilderChange): BuilderState {
  switch (change.type) {
    case "open":
      return {
        ...openState(change.draft ?? openPreset(change.call), change.origin ?? state.origin),
        revision: state.revision + 1,
        openings: state.openings + (change.origin ? 1 : 0),
        curl: change.curl ?? null,
      };
    case "show":
      return { ...state, ...change.part };
    case "reading": {
      const others = state.reading.filter((name) => name !== change.name);
      return { ...state, reading: change.on ? [...others, change.name] : others };
    }
  }
  const draft = changeDraft(state.draft, change);
  // A list that changes nothing keeps the idempotency key, so that sending again is still done once.
  if (change.type === "recipients" && draft === state.draft) return state;
  return {
    ...state,
    draft,
    revision: state.revision + 1,
    reading: change.type === "address" ? [] : state.reading,
    problems: state.problems.filter(({ field }) => {
      // Another file replaces the problem of the one before.
      if (change.type === "file") return field !== change.name;
      const isRows = change.type === "set" && (change.part.query || change.part.headers);
      return !isRows || field !== null;
    }),
  };
}

export function changeDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case "set":
      return { ...draft, ...change.part };
    case "address":
      return change.draft;
    case "value": {
      const next = { ...draft, values: { ...draft.values, [change.name]: change.value } };
      return change.name === "recipient"
        ? { ...next, fallbackRecipient: false }
        : dropFallbackUnlessTest(next);
    }
    case "recipients":
      return change.some ? removeFallbackRecipient(draft) : addFallbackRecipient(draft);
    case "file": {
      const { [change.name]: _former, ...others } = draft.files;
      return {
        ...draft,
        values: { ...draft.values, [change.name]: change.value },
        files: change.file ? { ...others, [change.name]: change.file } : others,
      };
    }
    case "reading":
    case "again":
      return draft;
  }
}

/** Lists the changes that fill the provider's corrections of an address into the form. */
export function listCorrections({ corrections }: AddressCheck): DraftChange[] {
  return Object.entries(corrections).map(([part, value]) => ({
    type: "value",
    name: addressFieldName(part as AddressPart),
    value,
  }));
}

/**
 * The state with the page's mode applied to its draft. The test box of a mail form switches the mode. The stored draft
 * is always a test, so that live mode never outlasts the page.
 */
export function useBuilderState(call: PresetCall, open: () => BuilderState, mode: Mode) {
  const [state, write] = useReducer(changeState, null, () => {
    const opened = open();
    return { ...opened, draft: applyMode(opened.draft, call, false) };
  });
  const live = mode.until !== null;
  const draft = useMemo(() => applyMode(state.draft, call, live), [state.draft, call, live]);
  const mail = findMailKind(call) !== null;
  const { switchTo } = mode;
  const change = useCallback(
    (next: BuilderChange) => {
      if (mail && next.type === "value" && next.name === "test") switchTo(next.value !== "true");
      else if ((next.type === "open" || next.type === "address") && next.draft) {
        write({ ...next, draft: applyMode(next.draft, call, false) });
      } else write(next);
    },
    [mail, switchTo, call],
  );
  return { state: { ...state, draft }, change };
}
