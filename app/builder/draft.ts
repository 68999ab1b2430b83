import type { FormField, JsonValue, Method } from "~/catalogue/types";

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
}

export interface Pair {
  name: string;
  value: string;
}

export interface ChosenFile {
  name: string;
  bytes: number;
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
    const given = template.query[field.name] ?? readBodyDefault(template.body, field.name);
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
function readBodyDefault(body: CallTemplate["body"], name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (value === false) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
