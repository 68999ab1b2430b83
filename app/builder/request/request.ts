import type { FormField, JsonValue, Method } from "~/catalogue/types";
import {
  type CallTemplate,
  carriesBody,
  type Draft,
  isTypedByHand,
  listPathNames,
  type Pair,
} from "../draft";
import { findMailKind } from "../editor/mail-kind";
import { listMailProblems } from "../editor/mail-rules";

const RECIPIENT_PREFIX = "recipient_";

/** The part of a proxy request that a draft decides; the page adds base URL, user and key. */
export interface BuiltRequest {
  method: Method;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: JsonValue | undefined;
}

/**
 * Form values as the provider wants them (spec §5): empty values and false booleans are dropped, number
 * fields become numbers, `recipient_*` fields are grouped into a recipient object. Fields that the path asks
 * for stay out.
 */
function buildPayload(
  fields: readonly FormField[],
  values: Record<string, string>,
  path: string,
): Record<string, JsonValue> {
  const inPath = new Set(listPathNames(path));
  const payload: Record<string, JsonValue> = {};
  const recipient: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = coerce(field, values[field.name] ?? "");
    if (value === undefined || inPath.has(field.name)) continue;
    if (field.name.startsWith(RECIPIENT_PREFIX)) recipient[field.name.slice(RECIPIENT_PREFIX.length)] = value;
    else payload[field.name] = value;
  }
  return Object.keys(recipient).length > 0 ? { ...payload, recipient } : payload;
}

/** A form value as it goes out; undefined where it is left out. */
export function coerce(field: FormField, value: string): JsonValue | undefined {
  if (value.trim() === "") return undefined;
  if (field.type === "boolean") return value === "true" ? true : undefined;
  if (field.type === "number") return isPlainNumber(value) ? Number(value) : value;
  return value;
}

/** Digits as a person writes them, and few enough that none changes on the way. */
function isPlainNumber(value: string): boolean {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim());
}

/** The body as the form makes it, as the Body tab shows it; "" where the method carries none. */
export function buildBodyText(draft: Draft, template: CallTemplate): string {
  if (!carriesBody(draft.method)) return "";
  return JSON.stringify(buildFormBody(draft, template), null, 2);
}

function buildFormBody(draft: Draft, template: CallTemplate): Record<string, JsonValue> {
  const kind = findMailKind(template);
  // spec §5: a form that fails its checks builds an empty body.
  if (kind && listMailProblems(kind, draft.values).length > 0) return {};
  const named = new Set(template.fields.map((field) => field.name));
  const fixed = Object.entries(template.body).filter(([name]) => !named.has(name));
  return { ...Object.fromEntries(fixed), ...buildPayload(template.fields, draft.values, draft.path) };
}

/** The query parameters that come from form fields: those of a call without a body (spec §5). */
export function buildFormQuery(draft: Draft, template: CallTemplate): Pair[] {
  if (carriesBody(draft.method)) return [];
  return Object.entries(buildPayload(template.fields, draft.values, draft.path)).map(([name, value]) => ({
    name,
    value: typeof value === "object" ? JSON.stringify(value) : String(value),
  }));
}

/** Why Send is off (spec §5 Send), or null. */
export function findSendBlock(draft: Draft): string | null {
  if (draft.path.trim() === "") return "The path is empty.";
  return findBodyProblem(draft);
}

/** 'Invalid JSON' when the method carries a body and the hand-written text is none. */
export function findBodyProblem(draft: Draft): string | null {
  if (!carriesBody(draft.method) || draft.body === null || draft.body.trim() === "") return null;
  try {
    JSON.parse(draft.body);
    return null;
  } catch {
    return "Invalid JSON";
  }
}

/** What keeps a draft from being sent, and the form field that it is about. */
export interface Problem {
  field: string | null;
  message: string;
}

/**
 * What the form still lacks, one sentence each. A hand-written body stands in for the form, so only what the
 * path needs is asked for then.
 */
export function listProblems(draft: Draft, template: CallTemplate): Problem[] {
  const inPath = new Set(listPathNames(draft.path));
  const known = new Set(template.fields.map((field) => field.name));
  const handWritten = isTypedByHand(draft);
  const kind = findMailKind(template);
  const problems: Problem[] = kind && !handWritten ? listMailProblems(kind, draft.values) : [];
  const said = new Set(problems.map((problem) => problem.field));
  for (const field of template.fields) {
    if (said.has(field.name)) continue;
    if (handWritten && !inPath.has(field.name)) continue;
    const value = (draft.values[field.name] ?? "").trim();
    const needed = field.required || inPath.has(field.name);
    const problem = (message: string) => problems.push({ field: field.name, message });
    if (needed && value === "") problem(`${field.label} is required`);
    if (field.type === "number" && value !== "" && !isPlainNumber(value)) {
      problem(`${field.label} must be a number`);
    }
  }
  for (const name of inPath) {
    if (known.has(name)) continue;
    problems.push({ field: null, message: `The path has {${name}}, and no form field fills it` });
  }
  for (const [kind, pairs] of [
    ["query parameter", [...buildFormQuery(draft, template), ...draft.query]],
    ["header", draft.headers],
  ] as const) {
    const names = pairs.map((pair) => pair.name.trim()).filter(Boolean);
    const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
    for (const name of twice)
      problems.push({ field: null, message: `The ${kind} ${name} stands there twice` });
  }
  return problems;
}

/**
 * The request that a draft stands for. Call it only when {@link findSendBlock} is null and
 * {@link listProblems} is empty.
 */
export function buildRequest(draft: Draft, template: CallTemplate): BuiltRequest {
  return {
    method: draft.method,
    path: fillPath(draft),
    query: toRecord([...buildFormQuery(draft, template), ...draft.query]),
    headers: toRecord(draft.headers),
    body: carriesBody(draft.method) ? buildBody(draft, template) : undefined,
  };
}

/** The path with the form's values in the place of their names; a name without one stays. */
export function fillPath(draft: Draft): string {
  return draft.path
    .trim()
    .replace(/\{(\w+)\}/g, (whole, name: string) =>
      draft.values[name] ? encodeURIComponent(draft.values[name].trim()) : whole,
    );
}

/**
 * The body as a value: the form's, or the text typed by hand.
 * @throws SyntaxError when that text is no JSON
 */
export function buildBody(draft: Draft, template: CallTemplate): JsonValue | undefined {
  if (draft.body === null) return buildFormBody(draft, template);
  return draft.body.trim() === "" ? undefined : (JSON.parse(draft.body) as JsonValue);
}

function toRecord(pairs: Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter((pair) => pair.name.trim() !== "").map((pair) => [pair.name.trim(), pair.value]),
  );
}
