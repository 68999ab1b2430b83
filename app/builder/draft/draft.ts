import type { Method, PresetCall } from "~/catalogue/types";
import type { MailType } from "~/pieces/mail-type";
import type { CheckedFile } from "~/print/artwork/file-rules";

/** A request that is being written: everything in the Builder's form. */
export interface Draft {
  method: Method;
  /** The typed path, with `{name}` for form values. */
  path: string;
  /** Form values by field name; a checked box is "true", a file its base64. */
  values: Record<string, string>;
  files: Record<string, ChosenFile>;
  query: Pair[];
  headers: Pair[];
  /** The text edited by hand, or null while the body follows the form. */
  body: string | null;
  /** The recipient is the fallback for a list that could not be loaded. It is removed outside test mode. */
  fallbackRecipient?: boolean;
}

/** A draft with its preset, or the documented version of it, and its base URL. */
export interface PresetDraft {
  presetId: string;
  documented: boolean;
  baseLabel: string;
  draft: Draft;
}

export interface DraftWithChoices extends PresetDraft {
  userId: string | null;
  /** The tested piece that was to be sent live, if any. */
  testedPieceId?: string | null;
}

/** The template of the team that a draft is from. */
export interface TeamTemplate {
  id: string;
  name: string;
  /** The time of its last change, as ISO text: a later change by another person is not replaced. */
  savedAt: string;
}

/** Says where the draft in the form is from, and what it changed. */
export interface OpeningNotice {
  tone: "info" | "warn" | "bad";
  title?: string;
  text?: string;
  notes?: string[];
}

export interface Pair {
  name: string;
  value: string;
}

/** Rows of query parameters, and of headers, that a request may have: the proxy takes no more. */
export const MAX_PAIRS = 200;

export const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export interface ChosenFile {
  name: string;
  bytes: number;
  /** Type and dimensions, if it was checked. */
  facts?: CheckedFile;
}

/** The call of a request that no preset makes. */
export const CUSTOM_CALL: PresetCall = {
  method: "GET",
  path: "",
  query: {},
  headers: {},
  body: {},
  fields: [],
};

/** True for the call of a custom request: no form builds its query and body. */
export function isCustom(call: PresetCall): boolean {
  return call.path === "";
}

/**
 * Finds the call of a draft: the one it was opened with while method and path match, else a custom request, which has
 * none of the preset's fields. The values of the fields are kept for the way back.
 */
export function findDraftCall(draft: Draft, opened: PresetCall): PresetCall {
  return draft.method === opened.method && draft.path.trim() === opened.path ? opened : CUSTOM_CALL;
}

export function carriesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

/** True when the body was edited by hand, so that the form's fields are not sent. */
export function isTypedByHand(draft: Draft): boolean {
  return draft.body !== null && carriesBody(draft.method);
}

/** Used when no recipient could be loaded. Only in test mode: a stranger must never get real mail. */
export const FALLBACK_RECIPIENT = "1001";

/** Fields of a new recipient's details. */
export const RECIPIENT_PREFIX = "recipient_";

export function isRecipientField(name: string): boolean {
  return name === "recipient" || name.startsWith(RECIPIENT_PREFIX);
}

/** Adds the fallback recipient to a test without a recipient. */
export function addFallbackRecipient(draft: Draft): Draft {
  const named = Object.entries(draft.values).some(([name, value]) => isRecipientField(name) && value.trim());
  if (named || draft.values.send_to === "new" || draft.values.test !== "true") return draft;
  return { ...draft, values: { ...draft.values, recipient: FALLBACK_RECIPIENT }, fallbackRecipient: true };
}

/** Removes the fallback recipient unless the draft is a test: a stranger must never get real mail. */
export function dropFallbackUnlessTest(draft: Draft): Draft {
  return draft.values.test === "true" ? draft : removeFallbackRecipient(draft);
}

export function removeFallbackRecipient(draft: Draft): Draft {
  if (!draft.fallbackRecipient) return draft;
  return { ...draft, values: { ...draft.values, recipient: "" }, fallbackRecipient: false };
}

/** Lists the names in braces in a path. */
export function listPathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Opens a new draft with the preset's values. A required field without a value starts with its placeholder. */
export function openPreset(call: PresetCall): Draft {
  const values: Record<string, string> = {};
  for (const field of call.fields) {
    const value = call.query[field.name] ?? findBodyDefault(call.body, field.name);
    values[field.name] = value ?? (field.required ? (field.placeholder ?? "") : "");
  }
  return {
    method: call.method,
    path: call.path,
    values,
    files: {},
    query: toPairs(call.query).filter(({ name }) => carriesBody(call.method) || !(name in values)),
    headers: toPairs(call.headers),
    body: null,
  };
}

export function toPairs(record: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/** Finds the value of a field in the preset's body, as the form shows it. */
function findBodyDefault(body: PresetCall["body"], name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (value === false) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export interface BaseUrlView {
  label: string;
  url: string;
  /** True when `.json` is appended to every path sent there. */
  appendJson: boolean;
}

const FORMS = new Map<string, MailType>([
  ["postcards/create", "postcard"],
  ["letters/create", "letter"],
]);

export function findMailKind(call: Pick<PresetCall, "path" | "method">): MailType | null {
  return call.method === "POST" ? (FORMS.get(call.path) ?? null) : null;
}
