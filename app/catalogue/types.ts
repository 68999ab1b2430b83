/** The types of the catalogue's rows. */

type CategoryId =
  | "authentication"
  | "recipients"
  | "lists"
  | "campaigns"
  | "mailings"
  | "postcards"
  | "letters"
  | "groups"
  | "events"
  | "files"
  | "reporting"
  | "selections"
  | "account"
  | "addresses"
  | "objects";

export interface Category {
  id: CategoryId;
  label: string;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface FormField {
  /** `id` (or any `{name}` of the path) goes into the path, `recipient_*` into a recipient object. */
  name: string;
  label: string;
  type: "text" | "number" | "textarea" | "select" | "boolean" | "choice" | "several" | "file";
  required?: boolean;
  /** A hint of at most 20 words for the person who fills the form. */
  description?: string;
  /** What the provider's documentation says about the field, shown behind an info sign. */
  note?: string;
  /** For a required field it is also the starting value of the form. */
  placeholder?: string;
  options?: readonly string[];
  /** Names of the options; those without one are shown as they are. */
  names?: Readonly<Record<string, string>>;
  /** For `choice`, a boolean that may also be left to the provider: what true and false are called. */
  words?: { yes: string; no: string };
  /** For files: the accepted types as an `accept` attribute. */
  accept?: string;
}

/** What the provider's public documentation says about a preset's call. */
export type Reference =
  /** `documented` is set when the provider documents the same call with other parameters. */
  | { status: "documented"; documented?: DocumentedCall; note?: string }
  | { status: "renamed"; documented: DocumentedCall; note?: string }
  | { status: "unlisted"; note?: string };

/** The call as the provider documents it; a POST is sent form-encoded. */
export interface DocumentedCall {
  method: Method;
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Absent when the preset's own fields fit. */
  formFields?: readonly FormField[];
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface Preset {
  id: string;
  categoryId: CategoryId;
  label: string;
  description: string;
  method: Method;
  /** Relative to the base URL, without leading slash; `{name}` is filled from the form field of that name. */
  path: string;
  /** Starting values of the form fields with these names. Other values are sent as they are. The same for `body`. */
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: { readonly [key: string]: JsonValue };
  docsUrl?: string;
  exampleResponse?: JsonValue;
  formFields?: readonly FormField[];
  reference: Reference;
}
