import type { Posted } from "./handle-builder-post.server";
import type { BuilderView } from "./load-builder-page.server";

const NOT_POSTED = {
  attempted: false,
  mode: null,
  postProblems: [],
  faults: "",
  preview: undefined,
  recipients: null,
  providerTemplates: null,
  addressCheck: null,
  testedPieceId: null,
  bodyProblem: null,
  curl: null,
  autoSaved: true,
};

/** Applies the outcome of a posted form to the page of its URL. */
export function applyPost(view: BuilderView, posted: Posted | null) {
  return { ...NOT_POSTED, ...view, ...posted, userId: posted?.userId ?? view.userId };
}

/** The page as it is shown: as its address opens it, or as a posted form left it. */
export type ShownView = ReturnType<typeof applyPost>;
