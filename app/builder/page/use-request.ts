import { useFetcher } from "@remix-run/react";
import { useState } from "react";
import { type BuilderState, openState, useBuilderState } from "../draft/builder-state";
import { findDraftCall, findMailKind, isCustom, openPreset } from "../draft/draft";
import { findLiveMailType, type Mode } from "../draft/mode";
import { readAddress } from "../draft/read-address";
import { findSendBlock } from "../draft/request";
import type { DraftOrigin } from "../draft/use-autosave";
import { toLiveStep } from "../send/answer";
import type { ShownView } from "./builder-view";

/** The base URL and the user that requests are sent with. The browser remembers them. */
export function useChoices(view: ShownView) {
  const preferences = useFetcher();
  const [{ baseLabel, userId, changes }, setChosen] = useState({
    baseLabel: view.base.label,
    userId: view.userId,
    changes: 0,
  });
  const openBase = (label: string) =>
    setChosen((now) =>
      now.baseLabel === label ? now : { ...now, baseLabel: label, changes: now.changes + 1 },
    );
  const base = view.baseUrls.find((option) => option.label === baseLabel) ?? view.base;
  const remember = (choice: Record<string, string>) => {
    // Offline Remix cannot load the route's script, and reloads the page.
    if (navigator.onLine) preferences.submit(choice, { method: "post", action: "/preferences" });
  };
  return {
    base,
    userId,
    /** Grows with every change: the same draft for another account or user is another request. */
    changes,
    sent: { baseUrl: base.url, userId },
    openBase,
    chooseBase: (label: string) => {
      openBase(label);
      remember({ base: label });
    },
    chooseUser: (id: string) => {
      setChosen((now) => ({ ...now, userId: id, changes: now.changes + 1 }));
      remember({ userId: id });
    },
  };
}

export type Choices = ReturnType<typeof useChoices>;

/** The draft, the call that it is, and whether it would be live mail. */
export function useRequest(view: ShownView, { base, openBase }: Choices, mode: Mode) {
  const { preset, presetCall: opened } = view;
  const { state, change } = useBuilderState(opened, () => toState(view), mode);
  const { draft } = state;
  const call = findDraftCall(draft, opened);
  const live = mode.until !== null;
  const draftMailType = findLiveMailType(draft, call);
  return {
    ...state,
    change,
    opened,
    call,
    custom: isCustom(call),
    kind: findMailKind(call),
    presetKey: `${preset.id} ${preset.documented}`,
    liveMailType: live ? draftMailType : null,
    blockedInTest: !live && draftMailType !== null && view.signedIn,
    block: findSendBlock(draft),
    /** Reads the path as an address, once it is typed or pasted. */
    readPath: (path: string) => {
      const read = readAddress({ ...draft, path }, opened, base, view.baseUrls);
      openBase(read.base.label);
      if (path !== draft.path || read.draft.path !== path) change({ type: "address", draft: read.draft });
    },
  };
}

export type RequestState = ReturnType<typeof useRequest>;

function toState(view: ShownView): BuilderState {
  const { initialDraft, presetCall, attempted, postProblems, curl } = view;
  const origin = findDraftOrigin(view);
  const state = openState(initialDraft ?? openPreset(presetCall), origin);
  return { ...state, attempted, problems: postProblems, curl };
}

export function findDraftOrigin({
  initialDraft,
  presetCall,
  answer,
  draftFrom,
}: Pick<ShownView, "initialDraft" | "presetCall" | "answer" | "draftFrom">): DraftOrigin {
  if (initialDraft === null) return { as: "fresh" };
  if (draftFrom !== null && draftFrom !== "parked") return { as: "chosen" };
  const live = findLiveMailType(initialDraft, presetCall) !== null;
  return { as: "given", mailed: live && answer !== null && toLiveStep(answer) === "accepted" };
}
