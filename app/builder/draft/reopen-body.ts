import type { FormField, JsonValue } from "~/catalogue/types";
import { isRecord } from "~/platform/json-value";
import { decodeBase64Strict } from "~/print/artwork/base64";
import { checkFile } from "~/print/artwork/check-file";
import { findFileRule } from "~/print/artwork/file-rules";
import type { CallTemplate, ChosenFile, Draft } from "./draft";
import { buildBody, coerce } from "./request";

/** A file whose content was not kept. */
export interface MissingFile {
  /** `front`, `pages[0].file` */
  place: string;
  bytes: number;
  /** Name of the file in a curl command. Stored responses do not keep names. */
  name?: string;
}

const RECIPIENT_PREFIX = "recipient_";
/** Replaces a missing file while the rest is compared. It is neither base64 nor typeable. */
const FILE_PLACEHOLDER = "\uE000missing file\uE000";

/** Fills the form from a body. Returns the names that do not fit, and those that the form would add. */
export function fillFormFromBody(
  draft: Draft,
  fields: readonly FormField[],
  template: CallTemplate,
  body: JsonValue,
): string[] {
  if (!isRecord(body)) return body === null ? [] : ["body"];
  const known = new Set<string>();
  for (const field of fields) {
    const place = placeOf(field);
    const raw = findAt(body, place);
    if (raw === undefined) continue;
    const value = field.type === "choice" && raw === false ? "false" : formatValue(raw);
    if (!isOffered(field, value) || !isSame(coerce(field, value), raw)) continue;
    if (field.type === "file" && value !== FILE_PLACEHOLDER) {
      const file = findFile(value, template.path, field.name);
      if (!file) continue;
      draft.files[field.name] = file;
    }
    draft.values[field.name] = value;
    known.add(place.join("."));
  }
  for (const [name, value] of Object.entries(template.body)) {
    if (template.fields.some((field) => field.name === name)) continue;
    if (isSame(body[name], value)) known.add(name);
    else if (!(name in body)) return [...listUnknown(body, known), name];
  }
  return listUnknown(body, known);
}

function listUnknown(body: Record<string, unknown>, known: ReadonlySet<string>): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (known.has(name)) return [];
    if (name !== "recipient" || !isRecord(value)) return [name];
    return Object.keys(value)
      .map((part) => `${name}.${part}`)
      .filter((place) => !known.has(place));
  });
}

/** Returns the path of a field's value in the body: `recipient_*` fields are grouped in a recipient object. */
function placeOf(field: FormField): string[] {
  return field.name.startsWith(RECIPIENT_PREFIX)
    ? ["recipient", field.name.slice(RECIPIENT_PREFIX.length)]
    : [field.name];
}

function findAt(body: Record<string, unknown>, place: readonly string[]): unknown {
  let value: unknown = body;
  for (const name of place) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function formatValue(raw: unknown): string {
  if (typeof raw === "string") return raw;
  return raw === null || raw === false || typeof raw === "object" ? "" : String(raw);
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
export function isOffered(field: FormField, value: string): boolean {
  const options = field.options ?? [];
  if (field.type === "several") return value.split(",").every((item) => options.includes(item));
  return field.type !== "select" || options.includes(value);
}

/** True when the draft's form builds exactly this body. */
export function makesBody(draft: Draft, template: CallTemplate, body: JsonValue): boolean {
  return isSame(buildBody({ ...draft, body: null }, template), body);
}

/** Replaces files that were not kept by placeholders and adds them to `missing`. */
export function replaceMissingFiles(value: unknown, place: string, missing: MissingFile[]): unknown {
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
export function formatBody(body: JsonValue, missing: readonly MissingFile[]): string {
  if (body === null) return "";
  const files = missing.values();
  return JSON.stringify(body, null, 2).replaceAll(JSON.stringify(FILE_PLACEHOLDER), () => {
    const file = files.next().value;
    const which = file?.name ?? `of ${(file?.bytes ?? 0).toLocaleString("en")} bytes`;
    return `<missing file ${which}: put its base64 here, in quotes>`;
  });
}

/** Empties the fields that hold a placeholder. */
export function clearFilePlaceholders(values: Draft["values"]): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === FILE_PLACEHOLDER) values[name] = "";
  }
}

/** Equal as JSON, in any order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (isRecord(a) && isRecord(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  return Object.is(a, b);
}
