import type { Category, JsonValue, Method, Reference } from "~/catalogue/types";
import type { UserOption } from "~/people/user-option";
import type { Failure } from "~/platform/outcome";
import type { CallTemplate, Draft } from "./draft";

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

export interface BaseUrlView {
  label: string;
  url: string;
  /** Whether `.json` is appended to every path sent there (spec §5). */
  appendJson: boolean;
}

/** All that the Builder tab needs from the server. */
export interface BuilderView {
  categories: Category[];
  presets: PresetEntry[];
  preset: PresetView;
  template: CallTemplate;
  /** The server's mark of the body as the form first makes it. */
  bodyMark: string;
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
