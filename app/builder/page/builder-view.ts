import type { Category, JsonValue, Preset } from "~/catalogue/types";
import type { UserOption } from "~/people/user-option";
import type { TestedPieceOffer } from "~/pieces/tested/tested-offer.server";
import type { Failure } from "~/platform/outcome";
import type { PreviewView } from "~/print/preview/preview-view";
import type { FirstLetter } from "~/print/preview/use-letter-drawing";
import type { AddressCheck } from "../draft/address";
import type { CurlShown } from "../draft/curl-report";
import type { BaseUrlView, CallTemplate, Draft, KeptAs } from "../draft/draft";
import type { PostedMode } from "../draft/mode";
import type { ListedRecipient, LoadedList } from "../draft/recipients";
import type { ReopenReport } from "../draft/reopen.server";
import type { Problem } from "../draft/request";
import type { ShownCode } from "../forms/code/code-choice";
import type { ListedTemplate } from "../forms/provider-list";
import type { Answer } from "../send/answer";
import type { StartView } from "./load-start.server";

/** A preset as the list shows it. */
export type PresetEntry = Pick<Preset, "id" | "label" | "method" | "path" | "categoryId">;

/** The chosen preset without its call, which is the {@link CallTemplate}. */
export interface PresetView
  extends Pick<Preset, "id" | "label" | "path" | "categoryId" | "description" | "reference"> {
  docsUrl: string | null;
  exampleResponse: JsonValue | null;
  /** True when the documented version is open instead of the preset's own. */
  documented: boolean;
}

/** The Builder tab as its address opens it. */
export interface BuilderView {
  categories: Category[];
  presets: PresetEntry[];
  preset: PresetView;
  /** The preset that the address names and that does not exist; null otherwise. */
  unknownPreset: string | null;
  template: CallTemplate;
  /** The letter that the page opens with. */
  letter: FirstLetter | null;
  /** The server's hash of the body that the form builds first. */
  bodyHash: string;
  /** The draft's idempotency key: a request that is sent twice with it is done once. */
  draftKey: string;
  baseUrls: BaseUrlView[];
  base: BaseUrlView;
  users: UserOption[];
  usersFailure: Failure | null;
  userId: string | null;
  signedIn: boolean;
  /** The way into the page: `first` without a choice, `start` from the first screen, `request` with a preset or request. */
  entry: "first" | "start" | "request";
  /** Null for a person who closed it, or is not signed in. */
  welcome: string | null;
  hasServerKey: boolean;
  /** The request that the page opens with as a program, for pages without JavaScript. */
  code: ShownCode | null;
  /** A parked or reopened draft, opened instead of the preset's own; else null. */
  initialDraft: Draft | null;
  search: { words: string; categoryId: string };
  /** Set on the first screen only, when the database answers. */
  start: StartView | null;
  /** Addresses of the scripts that the form needs, which the page would otherwise find late. */
  preload: string[];
  /** The tested piece that goes with the draft that was parked during a payment. */
  tested: TestedPieceOffer | null;
  payment: Payment | null;
  /** Set when the address opens a stored response. */
  reopenReport: ReopenReport | { problem: string } | null;
  /** The team's template that the draft is from, or was kept as. */
  keptAs: KeptAs | null;
  /** The stored response whose answer is shown with its request. */
  answerOf: string | null;
  /** That answer; null for a file. */
  answer: Answer | null;
}

/** A form that was posted without JavaScript: it is shown again, with the answer. */
export interface Posted {
  initialDraft: Draft;
  base: BaseUrlView;
  userId: string | null;
  draftKey: string;
  bodyHash: string;
  /** True after an attempt to send. The page then shows broken rules. */
  attempted: boolean;
  answer: Answer | null;
  mode: PostedMode;
  postProblems: Problem[];
  /** Faults that ruin the piece; "" without one. */
  faults: string;
  /** The tested piece of a send that was refused for such a fault. */
  tested?: TestedPieceOffer | null;
  keptAs: KeptAs | null;
  preview: PreviewView;
  letter: FirstLetter | null;
  recipients: LoadedList<ListedRecipient> | null;
  templates: LoadedList<ListedTemplate> | null;
  addressCheck: AddressCheck | null;
  /** The tested piece that the posted page offered, so that it is not forgotten while credits are bought. */
  testedPieceId: string | null;
  /** The JSON syntax error of the body edited by hand. */
  bodyProblem: string | null;
  /** Set only when requested: a program may be as long as its request. */
  code: ShownCode | null;
  /** Null when no curl command was pasted. */
  curl: CurlShown | null;
  /** The response is already saved. */
  autoSaved: boolean;
}

/** The outcome of the payment during which this draft was parked. */
interface Payment {
  tone: "ok" | "bad" | "info";
  message: string;
  confirming: boolean;
}

/** The page as it is shown: as its address opens it, or as a posted form left it. */
export interface ShownView extends BuilderView, Omit<Posted, keyof BuilderView | "mode" | "preview"> {
  mode: PostedMode | null;
  preview: PreviewView | undefined;
}

const NOT_POSTED = {
  attempted: false,
  mode: null,
  postProblems: [],
  faults: "",
  preview: undefined,
  recipients: null,
  templates: null,
  addressCheck: null,
  testedPieceId: null,
  bodyProblem: null,
  curl: null,
  autoSaved: true,
};

/** Applies the outcome of a posted form to the page of its URL. */
export function applyPost(view: BuilderView, posted: Posted | null): ShownView {
  return { ...NOT_POSTED, ...view, ...posted, userId: posted?.userId ?? view.userId };
}
