import type { Category, JsonValue, Method, Reference } from "~/catalogue/types";
import type { UserOption } from "~/people/user-option";
import type { Failure } from "~/platform/outcome";
import type { PreviewView } from "~/print/preview/preview-view";
import type { AddressCheck } from "./address-check/check-address";
import type { CallTemplate, Draft } from "./draft";
import type { LoadedRecipients } from "./editor/recipients";
import type { PostedMode } from "./mode/mode";
import type { ReopenReport } from "./reopen/reopen-report";
import type { BaseUrlView } from "./request/base-url-view";
import type { Problem } from "./request/request";
import type { Answer } from "./response/answer";

/** A preset as the list shows it. */
export interface PresetEntry {
  id: string;
  label: string;
  method: Method;
  path: string;
  categoryId: string;
}

/** The chosen preset without its call, which is the {@link CallTemplate}. */
export interface PresetView {
  id: string;
  label: string;
  path: string;
  categoryId: string;
  description: string;
  docsUrl: string | null;
  exampleResponse: JsonValue | null;
  reference: Reference;
  /** Whether the call the provider documents is opened instead of the preset's own. */
  documented: boolean;
}

/** All that the Builder tab needs from the server. */
export interface BuilderView {
  categories: Category[];
  presets: PresetEntry[];
  preset: PresetView;
  template: CallTemplate;
  /** The server's mark of the body as the form first makes it. */
  bodyHash: string;
  /** The draft's idempotency key: what is sent twice with it is done once. */
  draftKey: string;
  baseUrls: BaseUrlView[];
  base: BaseUrlView;
  users: UserOption[];
  usersFailure: Failure | null;
  userId: string | null;
  signedIn: boolean;
  welcome: string | null;
  hasServerKey: boolean;
  /** A draft that waited for a payment, opened in place of what the preset opens with. */
  kept: Draft | null;
  search: { words: string; categoryId: string };
}

/** What a posted form left behind: shown as it was, with the answer to it. */
export interface Posted {
  draft: Draft;
  draftKey: string;
  bodyHash: string;
  /** Whether it was to be sent; then the page names what was in the way. */
  attempted: boolean;
  answer: Answer | null;
  mode: PostedMode;
  fileProblems: Problem[];
  view: PreviewView;
  recipients: LoadedRecipients | null;
  addressCheck: AddressCheck | null;
  /** The answer stands among the stored responses already. */
  autoSaved: boolean;
}

/** What became of the payment that this draft waited for. */
interface Payment {
  tone: "ok" | "bad" | "info";
  message: string;
  confirming: boolean;
}

/** The Builder tab at an address. */
export interface BuilderPageView extends BuilderView {
  payment: Payment | null;
  reopenReport: ReopenReport | { problem: string } | null;
}
