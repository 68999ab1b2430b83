import { parseJsonText } from "~/platform/http/json-body.server";
import { isRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";

export type WireType = "application/json" | "application/x-www-form-urlencoded";

const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";
/** Fields that the provider expects as comma-separated text. */
const LISTED_FIELDS = new Set(["tags", "addons"]);

/** Chooses the type by a `Content-Type`, JSON without one. Fails with `bad_input` for other types. */
export function chooseWireType(contentType: string | undefined): Outcome<WireType> {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() || JSON_TYPE;
  if (type === JSON_TYPE || type === FORM_TYPE) return succeed(type);
  return fail(
    "bad_input",
    `A body is sent as ${JSON_TYPE} or ${FORM_TYPE} (files as base64 text); this content-type is neither. ${NOTHING_DONE}`,
  );
}

/** Parses a caller's body and drops credentials. Text is JSON, or form fields when the type says so. Fails with `bad_input`. */
export function parseWireBody(body: unknown, type: WireType): Outcome<unknown> {
  if (typeof body !== "string") return withoutCredentials(body);
  if (body.trim() === "") return succeed(undefined);
  const read = type === FORM_TYPE && !/^\s*[[{]/.test(body) ? parseFormText(body) : parseJsonText(body);
  return read.ok ? withoutCredentials(read.value) : read;
}

/** {@link dropCredentials} for a call, which is not made when it fails. */
export function withoutCredentials(value: unknown): Outcome<unknown> {
  const kept = dropCredentials(value);
  return kept.ok ? kept : fail(kept.failure.code, `${kept.failure.message} ${NOTHING_DONE}`);
}

/** Encodes a body for sending; null without one. */
export function encodeWireBody(body: unknown, type: WireType): string | null {
  if (body === undefined || body === null) return null;
  const value = joinLists(body);
  if (type === JSON_TYPE) return JSON.stringify(value);
  const fields = new URLSearchParams();
  appendFields(fields, "", value);
  return fields.toString();
}

/** Refuses a repeated name, except in a list (`files[]`), because it is ambiguous. */
function parseFormText(text: string): Outcome<unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.endsWith("[]")) {
      const base = name.slice(0, -2);
      const listed = fields.get(base);
      fields.set(base, Array.isArray(listed) ? [...listed, value] : [value]);
    } else if (fields.has(name)) {
      return fail("bad_input", `The form body has one field twice. ${NOTHING_DONE}`);
    } else fields.set(name, value);
  }
  return succeed(Object.fromEntries(fields));
}

function joinLists(body: unknown): unknown {
  if (!isRecord(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      LISTED_FIELDS.has(name) && Array.isArray(value) ? value.join(",") : value,
    ]),
  );
}

/** Appends `recipient[firstname]`, `pages[0]`. Writes booleans as 1 or 0, because the text "false" is true in PHP. */
function appendFields(fields: URLSearchParams, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) {
      appendFields(fields, name === "" ? key : `${name}[${key}]`, inner);
    }
  } else if (name !== "") {
    fields.append(name, typeof value === "boolean" ? (value ? "1" : "0") : String(value));
  }
}

const PASSED = new Set(["content-type", "accept", "accept-language", "idempotency-key", "x-idempotency-key"]);
/** Other `x-` headers with credentials, or that change method, host, path or the sender's address. */
const STOPPED =
  /^x-(?:.*(?:key|token|secret|auth|credential|cookie|session)|forwarded|real-ip|client-ip|cluster-client|remote|originating|original|rewrite|host|http|method|url|proxy|accel|sendfile|arr-|envoy|amz|goog|waws)/;
const MAX_HEADERS = 64;
const MAX_VALUE_CHARS = 4_096;

/**
 * Returns the caller's headers that go to the provider, with lower-case names, and drops the others. Fails with `bad_input`
 * when one of them cannot be sent.
 */
export function filterHeaders(headers: Record<string, string>): Outcome<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const [written, value] of Object.entries(headers)) {
    const name = written.trim().toLowerCase();
    if (!isPassed(name)) continue;
    if (!/^[\t\x20-\x7e\xa0-\xff]*$/.test(value) || value.length > MAX_VALUE_CHARS) {
      return fail("bad_input", `The header ${name} has a value that cannot be sent. ${NOTHING_DONE}`);
    }
    passed[name] = value.trim();
  }
  if (Object.keys(passed).length > MAX_HEADERS) {
    return fail("bad_input", `More than ${MAX_HEADERS} headers are given. ${NOTHING_DONE}`);
  }
  return succeed(passed);
}

function isPassed(name: string): boolean {
  if (!/^[a-z0-9-]+$/.test(name)) return false;
  if (PASSED.has(name)) return true;
  return name.startsWith("x-") && name.length > 2 && !STOPPED.test(name);
}

const CREDENTIAL_NAMES = new Set([
  "apikey",
  "xapikey",
  "apitoken",
  "accesstoken",
  "authtoken",
  "bearertoken",
  "authorization",
]);

/**
 * True when the provider could read a credential under this name. PHP converts dots, spaces and single brackets in names to
 * underscores, so only letters and digits count, in the whole name and in each bracketed part.
 */
export function isCredentialName(name: string): boolean {
  return [name, ...name.split(/[[\]]/)].some((part) =>
    CREDENTIAL_NAMES.has(
      part
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ""),
    ),
  );
}

/** Above the depth limit of a request. */
const DEPTH_LIMIT = 100;

/**
 * Drops credentials, so that only ours reach the provider, also nested and inside JSON text. Fails with `bad_input` when a
 * value cannot be searched because it is nested deeper than 100 levels.
 */
export function dropCredentials(value: unknown): Outcome<unknown> {
  try {
    return succeed(drop(value, 0));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return fail("bad_input", `The request has values nested deeper than ${DEPTH_LIMIT} levels.`);
  }
}

class TooDeep extends Error {}

function drop(value: unknown, depth: number): unknown {
  if (typeof value === "string") return dropFromText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEPTH_LIMIT) throw new TooDeep();
  if (Array.isArray(value)) return value.map((item) => drop(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isCredentialName(name))
      .map(([name, inner]) => [name, drop(inner, depth + 1)]),
  );
}

/** Keeps the spelling of JSON text unless it has a credential. */
function dropFromText(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw new TooDeep();
  }
  // Escapes double with each level of nested text, so this recursion is short.
  const kept = JSON.stringify(drop(value, 0));
  return kept === JSON.stringify(value) ? text : kept;
}
