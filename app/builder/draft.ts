import type { FormField, JsonValue, Method } from "~/catalogue/types";
import type { CheckedFile } from "~/print/artwork/file-check";

/** A request as it is being written: everything the Builder's form holds (spec §2 Builder tab). */
export interface Draft {
  method: Method;
  /** As typed, with `{name}` still standing for a form value. */
  path: string;
  /** Form values by field name; a checked box is "true", a file its base64. */
  values: Record<string, string>;
  /** What was chosen for a file field, by field name. */
  files: Record<string, ChosenFile>;
  query: Pair[];
  headers: Pair[];
  /** Text typed by hand, or null while the body follows the form. */
  body: string | null;
  /** The recipient is the stand-in for a list that could not be had: worth nothing outside test mode (design §5). */
  fallbackRecipient?: boolean;
}

export interface Pair {
  name: string;
  value: string;
}

export interface ChosenFile {
  name: string;
  bytes: number;
  /** What its content says, where it was checked. */
  facts?: CheckedFile;
}

/** What a preset (or the call the provider documents for it) opens with. */
export interface CallTemplate {
  method: Method;
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: { readonly [key: string]: JsonValue };
  fields: readonly FormField[];
}

/** Whether requests of this method carry a body (spec §2: Body tab). */
export function carriesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

/** Whether the body was typed by hand, so that the form's fields are not what is sent. */
export function isTypedByHand(draft: Draft): boolean {
  return draft.body !== null && carriesBody(draft.method);
}

/** The draft with the stand-in recipient, where it is a test and names nobody; else as it is. */
export function addFallbackRecipient(draft: Draft, recipientId: string): Draft {
  const named = Object.entries(draft.values).some(
    ([name, value]) => (name === "recipient" || name.startsWith("recipient_")) && value.trim() !== "",
  );
  if (named || draft.values.test !== "true") return draft;
  return { ...draft, values: { ...draft.values, recipient: recipientId }, fallbackRecipient: true };
}

/** The draft without its stand-in recipient once it is no test any more: mailing a stranger is no fallback. */
export function dropFallbackUnlessTest(draft: Draft): Draft {
  return draft.values.test === "true" ? draft : removeFallbackRecipient(draft);
}

/** The draft without its stand-in recipient, with nobody in its place. */
export function removeFallbackRecipient(draft: Draft): Draft {
  if (!draft.fallbackRecipient) return draft;
  return { ...draft, values: { ...draft.values, recipient: "" }, fallbackRecipient: false };
}

/** The names in braces that a path asks for. */
export function listPathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/**
 * A fresh draft: method, path, query, headers, body and form values as the preset has them; a required field
 * without a value of its own starts with its placeholder (spec §5).
 */
export function openDraft(template: CallTemplate): Draft {
  const values: Record<string, string> = {};
  for (const field of template.fields) {
    const given = template.query[field.name] ?? findBodyDefault(template.body, field.name);
    values[field.name] = given ?? (field.required ? (field.placeholder ?? "") : "");
  }
  return {
    method: template.method,
    path: template.path,
    values,
    files: {},
    query: Object.entries(template.query)
      .filter(([name]) => carriesBody(template.method) || !(name in values))
      .map(([name, value]) => ({ name, value })),
    headers: Object.entries(template.headers).map(([name, value]) => ({ name, value })),
    body: null,
  };
}

/** What a body row of the preset says for a field, as the form shows it. */
function findBodyDefault(body: CallTemplate["body"], name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (value === false) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
