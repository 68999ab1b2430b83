import { parseJsonText } from "~/platform/http/json-body.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { dropCredentials } from "./credentials.server";

/** Content types of a body. */
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

/**
 * Parses a caller's body and drops credentials. Text is JSON, or form fields when the type says so. Fails with `bad_input`.
 */
export function parseWireBody(body: unknown, type: WireType): Outcome<unknown> {
  if (typeof body !== "string") return withoutCredentials(body);
  if (body.trim() === "") return succeed(undefined);
  const read = type === FORM_TYPE && !/^\s*[[{]/.test(body) ? parseFormText(body) : parseJsonText(body);
  return read.ok ? withoutCredentials(read.value) : read;
}

function withoutCredentials(body: unknown): Outcome<unknown> {
  const kept = dropCredentials(body);
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
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
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
