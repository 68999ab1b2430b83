import { createContext, useContext } from "react";
import type { AddressCheck } from "../draft/address";
import type { DraftChange } from "../draft/builder-state";
import type { CallTemplate, Draft, KeptAs } from "../draft/draft";
import type { ListedRecipient } from "../draft/recipients";
import type { Problem } from "../draft/request";
import type { ListedTemplate } from "./provider-list";
import type { ListView } from "./use-provider-list";

export interface AddressCheckView {
  check: AddressCheck | null;
  checking: boolean;
  run: () => void;
  /** Fills the form with the provider's corrections. */
  take: () => void;
}

/** The draft that a form shows, and how its fields change it. */
export interface FormView {
  draft: Draft;
  /** The call that the draft is. */
  template: CallTemplate;
  /** The country of the account of the base URL. */
  home: "US" | "GB";
  baseUrl: string;
  problems: readonly Problem[];
  change: (change: DraftChange) => void;
  /** URL that the form posts to without JavaScript. */
  action: string;
  recipients: ListView<ListedRecipient>;
  /** The loaded recipients. */
  listed: readonly ListedRecipient[];
  templates: ListView<ListedTemplate>;
  addressCheck: AddressCheckView;
  /** The team's template that the draft is from. */
  keptAs: KeptAs | null;
}

/** The `id` of the form that is posted without JavaScript. */
export const FORM_ID = "request";

export const FormContext = createContext<FormView | null>(null);

/** The form around a field. */
export function useForm(): FormView {
  const form = useContext(FormContext);
  if (form === null) throw new Error("A field needs a FormContext around it");
  return form;
}
