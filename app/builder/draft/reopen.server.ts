import { isDeepStrictEqual } from "node:util";
import type { FormField, JsonValue, PresetCall } from "~/catalogue/types";
import type { MailType } from "~/pieces/mail-type";
import { formatInteger } from "~/platform/format-integer";
import { isRecord, parseRecord } from "~/platform/json-value";
import { decodePercent, encodePercent } from "~/platform/percent";
import { checkFile } from "~/print/artwork/check-file";
import { decodeBase64Strict } from "~/print/artwork/check-file.server";
import { findFileRule } from "~/print/artwork/file-rules";
import { classifyCall } from "~/proxy/live-mail-rule";
import type { StoredRequest } from "~/responses/stored-response";
import { type ChosenFile, carriesBody, type Draft, listPathNames, METHODS, toPairs } from "./draft";
import { findLiveKind } from "./mode";
import { buildBody, coerce } from "./request";

interface MissingFile {
  /** `front`, `pages[0].file` */
  place: string;
  bytes: number;
  /** Name of the file in a curl command. Stored responses do not keep names. */
  name?: string;
}

/** The body is null for none. A file that was not kept is an object `{ elided: "base64", bytes, sha256 }`. */
export type SentCall = Omit<StoredRequest, "base">;

/** Replaces a missing file while the rest is compared. It is neither base64 nor typeable. */
const FILE_PLACEHOLDER = "\uE000missing file\uE000";

/** Matches a sent path against a preset's path and returns the values of its `{names}`, else null. */
export function matchPath(call: Pick<PresetCall, "path">, path: string): Record<string, string> | null {
  const names = listPathNames(call.path);
  const pattern = call.path
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+)");
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (!match) return null;
  const values: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = match[index + 1] ?? "";
    const value = decodePercent(segment);
    if (value === null || encodePercent(value.trim()) !== segment) return null;
    values[name] = value;
  }
  return values;
}

/**
 * Opens a call with a preset. It uses the preset's form only if that builds exactly the same request, else the
 * body is edited by hand. Live mail (`wasLive`) opens as a test. `missing` are the files that were not kept, `unfit` the
 * names of values that the preset's form cannot hold.
 */
export function reopenCall(
  sent: SentCall,
  call: PresetCall,
): { draft: Draft; missing: MissingFile[]; unfit: string[]; wasLive: MailType | null } {
  const method = METHODS.find((known) => known === sent.method) ?? call.method;
  const inPath = method === call.method ? matchPath(call, sent.path) : null;
  const draft: Draft = {
    method,
    path: inPath ? call.path : sent.path,
    values: { ...Object.fromEntries(call.fields.map(({ name }) => [name, ""])), ...inPath },
    files: {},
    query: [],
    headers: toPairs(sent.headers),
    body: null,
  };
  const own = inPath ? call.fields.filter(({ name }) => !(name in inPath)) : [];
  const missing: MissingFile[] = [];
  if (!carriesBody(method)) {
    const filled = fillForm(draft, own, call, sent.query, String);
    draft.query = toPairs(sent.query).filter(({ name }) => !filled.has(name));
    const unfit = own.map(({ name }) => name).filter((name) => sent.query[name] && !filled.has(name));
    return { draft, missing, unfit: sent.body ? [...unfit, "body"] : unfit, wasLive: null };
  }
  draft.query = toPairs(sent.query);
  const wasLive = findLiveKind(classifyCall({ ...sent, method, body: sent.body ?? {} }, []));
  const kept = replaceMissingFiles(sent.body ?? null, "", missing) as JsonValue;
  const body = wasLive ? { ...(isRecord(kept) ? kept : {}), test: true } : kept;
  const unfit = inPath ? fillFormFromBody(draft, own, call, body) : [];
  const inForm = inPath && unfit.length === 0 && isDeepStrictEqual(buildBody(draft, call), body);
  if (!inForm) draft.body = formatBody(body, missing);
  for (const [name, value] of Object.entries(draft.values)) {
    if (value === FILE_PLACEHOLDER) draft.values[name] = "";
  }
  return { draft, missing, unfit, wasLive };
}

/** Fills the form from a body. Returns the names that do not fit, and those that the form would add. */
function fillFormFromBody(
  draft: Draft,
  fields: readonly FormField[],
  call: PresetCall,
  body: JsonValue,
): string[] {
  if (!isRecord(body)) return body === null ? [] : ["body"];
  const wanted = flatten(body);
  fillForm(draft, fields, call, wanted, (value) => value);
  const built = flatten(parseRecord(buildBody(draft, call, true)));
  const names = new Set([...Object.keys(wanted), ...Object.keys(built)]);
  return [...names].filter((name) => !isDeepStrictEqual(built[name], wanted[name]));
}

/** Fills the fields that build exactly the wanted values, which `toSent` converts to. Returns their names. */
function fillForm(
  draft: Draft,
  fields: readonly FormField[],
  call: PresetCall,
  wanted: Readonly<Record<string, unknown>>,
  toSent: (value: JsonValue) => unknown,
): Set<string> {
  const filled = new Set<string>();
  for (const field of fields) {
    const raw = wanted[field.name.replace(/^recipient_/, "recipient.")];
    const value = field.type === "choice" && raw === false ? "false" : formatValue(raw);
    const made = coerce(field, value);
    if (made === undefined || !isOffered(field, value) || !isDeepStrictEqual(toSent(made), raw)) continue;
    if (field.type === "file" && value !== FILE_PLACEHOLDER) {
      const file = findFile(value, call.path, field.name);
      if (!file) continue;
      draft.files[field.name] = file;
    }
    draft.values[field.name] = value;
    filled.add(field.name);
  }
  return filled;
}

/** Names the parts of a recipient object `recipient.city`. */
function flatten(body: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(body).flatMap(([name, value]) =>
    name === "recipient" && isRecord(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner])
      : [[name, value]],
  );
  return Object.fromEntries(parts);
}

function formatValue(raw: unknown): string {
  if (typeof raw === "string") return raw;
  return raw === undefined || raw === null || raw === false || typeof raw === "object" ? "" : String(raw);
}

/** Finds the file in a field; null if the value is no file, but a URL for example. A file's own name is never sent. */
function findFile(base64: string, path: string, name: string): ChosenFile | null {
  const bytes = decodeBase64Strict(base64);
  if (!bytes) return null;
  const rule = findFileRule(path, name);
  const checked = rule && checkFile(bytes, rule);
  if (checked && !checked.ok) return null;
  const facts = checked?.file;
  return { name, bytes: bytes.length, ...(facts ? { facts } : {}) };
}

/** Selects and tick boxes can only show their own options. */
function isOffered(field: FormField, value: string): boolean {
  const options = field.options ?? [];
  if (field.type === "several") return value.split(",").every((item) => options.includes(item));
  return field.type !== "select" || options.includes(value);
}

/** Replaces files that were not kept by placeholders and adds them to `missing`. */
function replaceMissingFiles(value: unknown, place: string, missing: MissingFile[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => replaceMissingFiles(item, `${place}[${index}]`, missing));
  }
  if (!isRecord(value)) return value;
  if (value.elided === "base64" && typeof value.bytes === "number") {
    const name = typeof value.name === "string" ? { name: value.name } : {};
    missing.push({ place: place === "" ? "body" : place, bytes: value.bytes, ...name });
    return FILE_PLACEHOLDER;
  }
  const members = Object.entries(value).map(([name, item]) => [
    name,
    replaceMissingFiles(item, place === "" ? name : `${place}.${name}`, missing),
  ]);
  return Object.fromEntries(members);
}

/** Formats the body. A missing file makes it invalid JSON, so that it cannot be sent without the file by mistake. */
function formatBody(body: JsonValue, missing: readonly MissingFile[]): string {
  if (body === null) return "";
  const files = missing.values();
  return JSON.stringify(body, null, 2).replaceAll(JSON.stringify(FILE_PLACEHOLDER), () => {
    const file = files.next().value;
    const which = file?.name ?? `of ${formatInteger(file?.bytes ?? 0)} bytes`;
    return `<missing file ${which}: put its base64 here, in quotes>`;
  });
}
