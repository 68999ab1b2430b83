import { type ButtonHTMLAttributes, createContext, type ReactNode, useContext } from "react";
import type { FormField, PresetCall } from "~/catalogue/types";
import type { DraftChange } from "../draft/builder-state";
import type { Draft, TeamTemplate } from "../draft/draft";
import type { AddressCheck, ListedRecipient, LoadedList } from "../draft/recipients";
import type { Problem } from "../draft/request";

export interface ProviderTemplate {
  id: string;
  name: string;
  /** The provider's spelling: `4X6`, `US-LETTER`; "" when it names none. */
  size: string;
  pages: string;
  /** URL of a picture; null when there is none that a page may show. */
  picture: string | null;
}

/** A list of the account; null until it is loaded. */
export interface ListView<Row> {
  loaded: LoadedList<Row> | null;
  loading: boolean;
  reload: () => void;
}

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
  call: PresetCall;
  /** Grows when a person opens another draft. */
  openings: number;
  /** The country of the account of the base URL. */
  home: "US" | "GB";
  baseUrl: string;
  /** The currency of the provider's prices; null when it is not configured. */
  currency: string | null;
  problems: readonly Problem[];
  change: (change: DraftChange) => void;
  /** URL that the form posts to without JavaScript. */
  action: string;
  recipients: ListView<ListedRecipient>;
  listed: readonly ListedRecipient[];
  providerTemplates: ListView<ProviderTemplate>;
  addressCheck: AddressCheckView;
  teamTemplate: TeamTemplate | null;
  /** Reads PDFs and pictures: few presets need it, so it is a part of the page's lazy code. */
  FileField: (props: { field: FormField }) => ReactNode;
}

/** The `id` of the form that is posted without JavaScript. */
export const FORM_ID = "request";

export const FormContext = createContext<FormView | null>(null);

export function useForm(): FormView {
  const form = useContext(FormContext);
  if (form === null) throw new Error("A field needs a FormContext around it");
  return form;
}

/** Returns the problem of a field, or null. */
export function useFieldProblem(name: string): string | null {
  return useForm().problems.find(({ field }) => field === name)?.message ?? null;
}

interface IntentButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "name" | "value"> {
  intent: string;
  onPress: () => void;
}

/** Calls `onPress`. Without JavaScript it posts the Builder's form with this `intent`. */
export function IntentButton({ intent, onPress, children, ...attributes }: IntentButtonProps) {
  return (
    <button
      {...attributes}
      type="submit"
      name="intent"
      value={intent}
      onClick={(event) => {
        event.preventDefault();
        onPress();
      }}
    >
      {children}
    </button>
  );
}
