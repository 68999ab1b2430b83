import type { FormField } from "~/catalogue/types";
import { isRecord, parseJson } from "~/platform/json-value";
import { type CurlCommand, type NamedFile, toNamedFile } from "./parse-curl.server";

export type CurlBody =
  | { kind: "none" }
  /** A form with its bracketed names nested, or JSON. */
  | { kind: "value"; value: unknown; form: boolean }
  /** Invalid JSON, or a whole file. */
  | { kind: "text"; text: string };

/** Deeper names are left as they are. */
const DEPTH = 10;
const FORM = /x-www-form-urlencoded/i;

/** Parses the body of a command. With `-G` its data belongs to the query. */
export function parseCurlBody({ options }: CurlCommand, contentType: string): CurlBody {
  const fields = options.filter(({ name }) => name === "form" || name === "form-string");
  const parts = options.flatMap(({ name, value }) => parseData(name, value));
  if (fields.length > 0) {
    const pairs = fields.map(({ name, value }) => parseFormField(value, name === "form"));
    // Curl refuses data with a form; they are merged into one form.
    const data = parts.flatMap((part) => (typeof part === "string" ? [...new URLSearchParams(part)] : []));
    return { kind: "value", value: nestFields([...data, ...pairs]), form: true };
  }
  const json = options.some(({ name }) => name === "json");
  if (parts.length === 0) return { kind: "none" };
  const file = parts.find((part) => typeof part !== "string");
  if (file && typeof file !== "string") {
    return { kind: "text", text: `<missing file ${file.name}: put its content here>` };
  }
  const text = parts.join(json ? "" : "&");
  const value = parseJson(text);
  if (value !== undefined && (typeof value === "object" || !FORM.test(contentType))) {
    return { kind: "value", value, form: false };
  }
  if (json || (contentType !== "" && !FORM.test(contentType))) return { kind: "text", text };
  return { kind: "value", value: nestFields([...new URLSearchParams(text)]), form: true };
}

/** Parses the data of a command as pairs, for `-G`. */
export function parseCurlQuery({ options }: CurlCommand): [string, string][] {
  const inQuery = options.some(({ name }) => name === "get");
  const data = inQuery ? options.flatMap(({ name, value }) => parseData(name, value)) : [];
  const added = options.flatMap(({ name, value }) =>
    name === "url-query" ? parseData("data-urlencode", value) : [],
  );
  return [...data, ...added].flatMap((part) =>
    typeof part === "string" ? [...new URLSearchParams(part)] : [],
  );
}

/** Parses a data option as text, or the file that it names. */
function parseData(name: string, value: string): (string | NamedFile)[] {
  if (name === "data-raw") return [value];
  if (["data", "data-ascii", "data-binary", "json"].includes(name)) {
    return [value.startsWith("@") ? toNamedFile(value.slice(1)) : value];
  }
  if (name !== "data-urlencode") return [];
  const [, field = "", sign, content = value] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [];
  if (sign === "@") return [toNamedFile(content)];
  return [field === "" ? encodeURIComponent(content) : `${field}=${encodeURIComponent(content)}`];
}

/** `name=text`, or `name=@file;type=…`. */
function parseFormField(field: string, mayNameFile: boolean): [string, unknown] {
  const at = field.indexOf("=");
  const [name, value] = at === -1 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
  if (!mayNameFile) return [name, value];
  const sign = /^[@<]/.exec(value)?.[0] ?? "";
  const content = value.slice(sign.length);
  // Curl takes what is in quotes as it is, so Postman writes all values in them.
  const quoted = /^"((?:[^"\\]|\\.)*)"/s.exec(content)?.[1]?.replace(/\\(["\\])/g, "$1");
  if (sign !== "") return [name, toNamedFile(quoted ?? content.replace(/;.*$/, ""))];
  return [name, quoted ?? content.replace(/;type=[^;]*$/, "")];
}

/** `recipient[firstname]=Ana` as an object in an object, `files[]=…` as a list. */
export function nestFields(pairs: readonly [string, unknown][]): unknown {
  const root = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    const steps = splitName(name);
    let place = root;
    for (const step of steps.slice(0, -1)) {
      const next = place.get(step);
      const inner: Map<string, unknown> = next instanceof Map ? next : new Map();
      place.set(step, inner);
      place = inner;
    }
    const last = steps.at(-1) ?? name;
    place.set(last === "" ? String(place.size) : last, value);
  }
  return toValue(root);
}

function splitName(name: string): string[] {
  const [, head, tail] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (head === undefined || tail === undefined) return [name];
  const steps = [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map(([, step]) => step ?? "")];
  return steps.length > DEPTH ? [name] : steps;
}

function toValue(value: unknown, isRoot = true): unknown {
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(([name, inner]): [string, unknown] => [name, toValue(inner, false)]);
  const isList = !isRoot && entries.every(([name], at) => name === String(at));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Converts a body's values to the types of the preset's fields: "1" of a tick box is true, and an ID is a text. */
export function typeFormValues(body: unknown, fields: readonly FormField[]): unknown {
  if (!isRecord(body)) return body;
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeValue(value, types.get(name))]),
  );
}

function typeValue(value: unknown, type: FormField["type"] | undefined): unknown {
  if (typeof value === "number" && type !== undefined && type !== "number") return String(value);
  if (typeof value !== "string") return value;
  if (type === "boolean" || type === "choice") {
    if (/^(?:1|true|yes|on)$/i.test(value)) return true;
    return /^(?:0|false|no|off)$/i.test(value) ? false : value;
  }
  return type === "number" && String(Number(value)) === value ? Number(value) : value;
}
