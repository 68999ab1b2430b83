import type { CallTemplate, Draft } from "../draft";
import { findLiveMailType } from "../mode/live-mail-type";
import { type Answer, isRefused } from "../response/answer";
import type { LiveStep } from "./autosaver";
import type { DraftOrigin } from "./use-autosave";

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

/** What an answer to a live send means for the autosaved draft. */
export function toLiveStep(answer: Answer): LiveStep {
  if (isRefused(answer)) return "refused";
  const done = answer.kind === "answered" && answer.response.error === null && !answer.response.pending;
  return done ? "accepted" : "unknown";
}
