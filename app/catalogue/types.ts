/** The catalogue's vocabulary (spec §3). Rows of these types are the data; nothing here computes. */

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
  /** `id` (or any name that stands in `{…}` in the path) goes into the path; `recipient_*` into a recipient object. */
  name: string;
  label: string;
  type: "text" | "number" | "textarea" | "select" | "boolean" | "file";
  required?: boolean;
  description?: string;
  /** For a required field it is also the value the form starts with (spec §5). */
  placeholder?: string;
  options?: readonly string[];
  /** For files: the accepted types as an `accept` attribute. */
  accept?: string;
}

/** What the provider's public reference says of a preset's path. */
export type Reference =
  /** `documented` is there where the provider wants the same call with its fields passed in another way. */
  | { status: "documented"; documented?: DocumentedCall; note?: string }
  | { status: "renamed"; documented: DocumentedCall; note?: string }
  | { status: "unlisted"; note?: string };

/** The call as the provider documents it; a POST goes out form-encoded. */
export interface DocumentedCall {
  method: Method;
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Without it the preset's own fields fit. */
  formFields?: readonly FormField[];
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface Preset {
  id: string;
  categoryId: CategoryId;
  label: string;
  description: string;
  method: Method;
  /** Relative to the base URL, no leading slash; `{name}` is filled from the form field of that name. */
  path: string;
  /** Starting values: of the form field with that name, else sent as they are. The same holds for `body`. */
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: { readonly [key: string]: JsonValue };
  docsUrl?: string;
  exampleResponse?: JsonValue;
  formFields?: readonly FormField[];
  reference: Reference;
}
