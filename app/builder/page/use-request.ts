import { useFetcher } from "@remix-run/react";
import { useState } from "react";
import { type BuilderState, openState, useBuilderState } from "../draft/builder-state";
import {
  type CallTemplate,
  type Draft,
  findMailKind,
  isCustom,
  openPreset,
  selectCall,
} from "../draft/draft";
import { findLiveMailType } from "../draft/mode";
import { readAddress } from "../draft/read-address";
import { findSendBlock } from "../draft/request";
import type { DraftOrigin } from "../draft/use-autosave";
import type { Mode } from "../draft/use-mode";
import { type Answer, toLiveStep } from "../send/answer";
import type { BuilderPageView, Posted } from "./builder-view";

/** The base URL and the user that requests are sent with. The browser remembers them. */
export function useChoices(view: BuilderPageView) {
  const preferences = useFetcher();
  const [baseLabel, openBase] = useState(view.base.label);
  const [userId, setUserId] = useState(view.userId);
  const base = view.baseUrls.find((option) => option.label === baseLabel) ?? view.base;
  const remember = (choice: Record<string, string>) => {
    // Offline Remix cannot load the route's script, and reloads the page.
    if (navigator.onLine) preferences.submit(choice, { method: "post", action: "/preferences" });
  };
  return {
    base,
    userId,
    sent: { baseUrl: base.url, userId },
    /** For this page only. */
    openBase,
    chooseBase: (label: string) => {
      openBase(label);
      remember({ base: label });
    },
    chooseUser: (id: string) => {
      setUserId(id);
      remember({ userId: id });
    },
  };
}

export type Choices = ReturnType<typeof useChoices>;

/** The draft, the call that it is, and whether it would be live mail. */
export function useRequest(
  view: BuilderPageView,
  posted: Posted | null,
  { base, openBase }: Choices,
  mode: Mode,
) {
  const { preset, template: opened } = view;
  const { state, change } = useBuilderState(opened, () => toState(view, posted), mode);
  const { draft } = state;
  const template = selectCall(draft, opened);
  const live = mode.until !== null;
  const draftMailType = findLiveMailType(draft, template);
  return {
    ...state,
    change,
    opened,
    template,
    custom: isCustom(template),
    kind: findMailKind(template),
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

/** The state that the page opens with: of a posted form, a draft from the server, or the preset. */
function toState(view: BuilderPageView, posted: Posted | null): BuilderState {
  const origin = findDraftOrigin(view, posted);
  const state = openState(posted?.draft ?? view.initialDraft ?? openPreset(view.template), origin);
  if (!posted) return state;
  return { ...state, attempted: posted.attempted, problems: posted.postProblems, curl: posted.curl };
}

/** Where the draft of a page from the server comes from. */
export function findDraftOrigin(
  view: { template: CallTemplate; initialDraft: Draft | null },
  posted: { draft: Draft; answer: Answer | null } | null,
): DraftOrigin {
  if (!posted) return { as: view.initialDraft ? "given" : "fresh" };
  const { draft, answer } = posted;
  const live = findLiveMailType(draft, view.template) !== null;
  return { as: "given", mailed: live && answer !== null && toLiveStep(answer) === "accepted" };
}
