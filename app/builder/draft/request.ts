import type { FormField, JsonValue, PresetCall } from "~/catalogue/types";
import { isRecord, parseJson } from "~/platform/json-value";
import { decodePercent, encodePercent } from "~/platform/percent";
import {
  carriesBody,
  type Draft,
  findMailKind,
  isCustom,
  isRecipientField,
  isTypedByHand,
  listPathNames,
  MAX_PAIRS,
  type Pair,
  RECIPIENT_PREFIX,
} from "./draft";
import { listMailProblems } from "./mail-rules";
import type { SEND_BLOCKS } from "./messages";
import { keepChosenRecipient, type ListedRecipient } from "./recipients";

export const BROKEN_PERCENT =
  "The path has a % without two hex digits after it; write %25 for a percent sign";

/**
 * Form values as the provider wants them: empty values and false booleans are dropped, number fields become numbers,
 * `recipient_*` fields are grouped into a recipient object. Fields whose values go into the path are left out.
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

/** Converts a form value to its type in the body; undefined when it is omitted. */
export function coerce(field: FormField, value: string): JsonValue | undefined {
  if (value.trim() === "") return undefined;
  if (field.type === "boolean") return value === "true" ? true : undefined;
  if (field.type === "choice") return value === "true" ? true : value === "false" ? false : undefined;
  if (field.type === "number") return isPlainNumber(value) ? Number(value) : value;
  return value;
}

/** Plain digits, and few enough that no precision is lost. */
function isPlainNumber(value: string): boolean {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim());
}

/** Builds the text of the Body tab; "" for methods without a body. */
export function buildBodyText(draft: Draft, call: PresetCall): string {
  if (!carriesBody(draft.method) || isCustom(call)) return "";
  return JSON.stringify(buildFormBody(draft, call), null, 2);
}

function buildFormBody(draft: Draft, call: PresetCall, unfinished = false): Record<string, JsonValue> {
  const kind = findMailKind(call);
  // A mail form that fails its checks builds an empty body, so that half a piece is never sent.
  if (!unfinished && kind && listMailProblems(kind, draft.values).length > 0) return {};
  const named = new Set(call.fields.map((field) => field.name));
  const fixed = Object.entries(call.body).filter(([name]) => !named.has(name));
  const values = kind ? keepChosenRecipient(draft.values) : draft.values;
  return { ...Object.fromEntries(fixed), ...buildPayload(call.fields, values, draft.path) };
}

/** Builds the fields of a list's template: all except the recipient, which each row supplies. */
export function buildListBody(draft: Draft, call: PresetCall): Record<string, JsonValue> {
  const written = buildBody(draft, call, true);
  const body = isRecord(written) ? written : buildFormBody(draft, call, true);
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => name !== "test" && !isRecipientField(name.split("[")[0] ?? "")),
  );
}

/** Builds the query parameters that come from form fields. Only calls without a body have them. */
export function buildFormQuery(draft: Draft, call: PresetCall): Pair[] {
  if (carriesBody(draft.method)) return [];
  return Object.entries(buildPayload(call.fields, draft.values, draft.path)).map(([name, value]) => ({
    name,
    value: typeof value === "object" ? JSON.stringify(value) : String(value),
  }));
}

/** Why Send is disabled. */
export type SendBlock = keyof typeof SEND_BLOCKS;

export function findSendBlock(draft: Draft): SendBlock | null {
  if (draft.path.trim() === "") return "empty_path";
  return hasInvalidBody(draft) ? "invalid_json" : null;
}

/** True when the body was edited by hand and is not valid JSON. */
export function hasInvalidBody(draft: Draft): boolean {
  if (!carriesBody(draft.method) || draft.body === null || draft.body.trim() === "") return false;
  return parseJson(draft.body) === undefined;
}

/** Something to correct before sending, and the form field it is about. */
export interface Problem {
  field: string | null;
  message: string;
}

/**
 * Lists the form's missing or invalid values. A body edited by hand replaces the form, so only the values that the
 * path needs are checked then.
 */
export function listProblems(
  draft: Draft,
  call: PresetCall,
  listed: readonly ListedRecipient[] = [],
): Problem[] {
  const inPath = new Set(listPathNames(draft.path));
  const known = new Set(call.fields.map((field) => field.name));
  const handWritten = isTypedByHand(draft);
  const kind = findMailKind(call);
  const problems: Problem[] = kind && !handWritten ? listMailProblems(kind, draft.values, listed) : [];
  const reported = new Set(problems.map((problem) => problem.field));
  for (const field of call.fields) {
    if (reported.has(field.name)) continue;
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
    problems.push({ field: null, message: `{${name}} in the path has no value` });
  }
  if (decodePercent(fillPath(draft)) === null) problems.push({ field: null, message: BROKEN_PERCENT });
  for (const [kind, pairs] of [
    ["Query parameter", [...buildFormQuery(draft, call), ...draft.query]],
    ["Header", draft.headers],
  ] as const) {
    if (pairs.length > MAX_PAIRS) problems.push({ field: null, message: `${kind}s: ${MAX_PAIRS} at most` });
    for (const name of listRepeated(pairs))
      problems.push({ field: null, message: `${kind} ${name} is given twice` });
  }
  return problems;
}

function listRepeated(pairs: readonly Pair[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of pairs.map((pair) => pair.name.trim()).filter(Boolean)) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

/** Builds the request for a draft. Call it only when {@link findSendBlock} is null and {@link listProblems} is empty. */
export function buildRequest(draft: Draft, call: PresetCall) {
  return {
    method: draft.method,
    path: fillPath(draft),
    query: buildQuery(draft, call),
    headers: toRecord(draft.headers),
    body: carriesBody(draft.method) ? buildBody(draft, call) : undefined,
  };
}

export function buildQuery(draft: Draft, call: PresetCall): Record<string, string> {
  return toRecord([...buildFormQuery(draft, call), ...draft.query]);
}

/** Replaces `{name}` in the path by the form's value. A name without a value stays. */
export function fillPath(draft: Pick<Draft, "path" | "values">): string {
  return draft.path
    .trim()
    .replace(/\{(\w+)\}/g, (whole, name: string) =>
      draft.values[name] ? encodePercent(draft.values[name].trim()) : whole,
    );
}

/**
 * Builds the body as a value: from the form, which `unfinished` may break its rules, or from the text edited by hand.
 * @throws SyntaxError when that text is not JSON
 */
export function buildBody(draft: Draft, call: PresetCall, unfinished = false): JsonValue | undefined {
  if (draft.body === null) return isCustom(call) ? undefined : buildFormBody(draft, call, unfinished);
  return draft.body.trim() === "" ? undefined : (JSON.parse(draft.body) as JsonValue);
}

function toRecord(pairs: Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter((pair) => pair.name.trim() !== "").map((pair) => [pair.name.trim(), pair.value]),
  );
}
