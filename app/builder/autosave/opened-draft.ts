import type { CallTemplate, Draft } from "../draft";
import { findLiveMail } from "../mode/live-mail";
import { type Answer, isRefused } from "../response/answer";
import type { LiveStep } from "./autosaver";
import type { Opened } from "./use-autosave";

/** How the page's form was opened by the server's answer. */
export function readOpened(
  view: { template: CallTemplate; kept: Draft | null },
  posted: { draft: Draft; answer: Answer | null } | null,
): Opened {
  if (!posted) return { as: view.kept ? "given" : "fresh" };
  const { draft, answer } = posted;
  const live = findLiveMail(draft, view.template) !== null;
  return { as: "given", mailed: live && answer !== null && readLiveStep(answer) === "accepted" };
}

/** What an answer to a live send says of the piece. */
export function readLiveStep(answer: Answer): LiveStep {
  if (isRefused(answer)) return "refused";
  const done = answer.kind === "answered" && answer.response.error === null && !answer.response.pending;
  return done ? "accepted" : "unknown";
}
