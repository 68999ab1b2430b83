import type { CATEGORIES } from "./categories";

export type Category = (typeof CATEGORIES)[number];

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface FormField {
  /** `id` (or any `{name}` of the path) goes into the path, `recipient_*` into a recipient object. */
  name: string;
  label: string;
  type: "text" | "number" | "textarea" | "select" | "boolean" | "choice" | "several" | "file";
  required?: boolean;
  /** A hint of at most 20 words for the person who fills the form. */
  description?: string;
  /** Remark on the provider's documentation of the field, shown behind an info sign. */
  note?: string;
  /** Also the starting value of a required field. */
  placeholder?: string;
  options?: readonly string[];
  /** Labels of options. */
  names?: Readonly<Record<string, string>>;
  /** Labels of true and false for a `choice`, a boolean that may be left to the provider. */
  words?: { yes: string; no: string };
  /** Accepted types of a file, as an `accept` attribute. */
  accept?: string;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** The call that a preset, or its documented version, makes. */
export interface PresetCall {
  method: Method;
  /** Relative to the base URL, without leading slash; `{name}` is filled from the form field of that name. */
  path: string;
  /** Starting values of form fields; values without a field are always sent. The same applies to `body`. */
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: { readonly [key: string]: JsonValue };
  fields: readonly FormField[];
}

/** A preset's call in the provider's public documentation. */
export interface Reference {
  status: "documented" | "renamed" | "unlisted";
  /** The call as the provider documents it, if that has another path or other parameters. */
  documented?: PresetCall;
  note?: string;
}

export interface Preset extends PresetCall {
  id: string;
  categoryId: Category["id"];
  label: string;
  description: string;
  docsUrl?: string;
  exampleResponse?: JsonValue;
  reference: Reference;
}

/** A request that no preset makes: its ID in stored responses and addresses, and its name. */
export const CUSTOM = { id: "custom", label: "Custom request" } as const;
