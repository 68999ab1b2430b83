import type { JsonValue, PresetCall } from "~/catalogue/types";
import { isRecord } from "~/platform/json-value";
import { type BaseUrlView, carriesBody, type Draft } from "../../draft/draft";
import { buildBody, buildQuery, fillPath, hasInvalidBody } from "../../draft/request";

export interface BuilderCall {
  draft: Draft;
  call: PresetCall;
  base: Pick<BaseUrlView, "url" | "appendJson">;
  /** The current user, when that is not the viewer; a program acts for the owner of its token otherwise. */
  payerId?: string | null;
}

/** A file beside the program that sends it. */
export class FileName {
  constructor(readonly name: string) {}
}

/** JSON whose files are names. */
export type CodeValue =
  | string
  | number
  | boolean
  | null
  | FileName
  | CodeValue[]
  | { [key: string]: CodeValue };

export type CodeField = [name: string, value: string | FileName];

export interface CodeRequest {
  method: string;
  /** With its query. */
  url: string;
  /** The environment variable of the key or token, and how it is sent. */
  secret: { variable: string; scheme: "basic" | "bearer" };
  headers: [string, string][];
  body:
    | { kind: "none" }
    /** It is multipart if one of its fields is a file. */
    | { kind: "form"; fields: CodeField[] }
    | { kind: "json"; value: CodeValue };
}

/** Longer texts without spaces are files that a person put into the body by hand. */
const FILE_CHARS = 4_000;
const FILE_STARTS: [string, string][] = [
  ["JVBERi", "pdf"],
  ["/9j/", "jpg"],
  ["iVBOR", "png"],
];
/** Fields that the provider wants as one text. */
const LISTED = new Set(["tags", "addons"]);
/** A key that a person typed is not repeated: the code has its own. */
const SECRET = /api.?(?:key|token)|(?:access|auth|bearer).?token|authorization|cookie/i;

/** Builds the current request as a program sends it, to the provider or to the console at `origin`. */
export function buildCodeRequest(
  source: BuilderCall,
  target: "provider" | "mailroom",
  origin: string,
): CodeRequest {
  const { draft, call, base, payerId } = source;
  const { method } = draft;
  const path = fillPath(draft);
  const query = withoutSecrets(Object.entries(buildQuery(draft, call)));
  const headers = withoutSecrets(
    draft.headers.flatMap(({ name, value }): [string, string][] =>
      name.trim() === "" ? [] : [[name.trim().toLowerCase(), value]],
    ),
  );
  const written = buildWrittenBody(source);
  const files = Object.entries(draft.files).flatMap(([field, { name }]): [string, string][] => {
    const content = draft.values[field] ?? "";
    return content === "" ? [] : [[content, name]];
  });
  const body = written === undefined ? undefined : replaceFiles("body", written, new Map(files));
  if (target === "mailroom") {
    const request: { [key: string]: CodeValue } = {
      baseUrl: base.url,
      method,
      path,
      ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(body === undefined ? {} : { body }),
      ...(payerId ? { user_id: payerId } : {}),
    };
    return {
      method: "POST",
      url: `${origin}/api/stannp`,
      secret: { variable: "MAILROOM_TOKEN", scheme: "bearer" },
      headers: [],
      body: { kind: "json", value: request },
    };
  }
  const suffix = base.appendJson && !/\.json$/i.test(path) ? ".json" : "";
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : "";
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return {
    method,
    url: `${base.url}/${path}${suffix}${search}`,
    secret: { variable: "STANNP_API_KEY", scheme: "basic" },
    headers: headers.filter(([name]) => name !== "content-type"),
    body: encodeBody(body, type),
  };
}

/** Builds the body in the Builder; undefined when there is none or it is not JSON. */
export function buildWrittenBody({ draft, call }: BuilderCall): JsonValue | undefined {
  return carriesBody(draft.method) && !hasInvalidBody(draft) ? buildBody(draft, call, true) : undefined;
}

export function hasFile(fields: readonly CodeField[]): boolean {
  return fields.some(([, value]) => value instanceof FileName);
}

/** Form fields as the provider documents them, or JSON where the request says so and has no files. */
function encodeBody(body: CodeValue | undefined, contentType: string): CodeRequest["body"] {
  if (body === undefined || body === null) return { kind: "none" };
  if (!isRecord(body)) return { kind: "json", value: body };
  const fields = listFields("", body);
  const isJson = /json/i.test(contentType) && !hasFile(fields);
  return isJson ? { kind: "json", value: body } : { kind: "form", fields };
}

/** `recipient[firstname]`; a boolean is 1 or 0, because PHP reads "false" as true. */
function listFields(name: string, value: CodeValue): CodeField[] {
  if (value === null) return [];
  if (value instanceof FileName) return [[name, value]];
  if (Array.isArray(value) && LISTED.has(name)) return [[name, value.join(",")]];
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([key, inner]) =>
      listFields(name === "" ? key : `${name}[${key}]`, inner),
    );
  }
  return [[name, typeof value === "boolean" ? (value ? "1" : "0") : String(value)]];
}

/** Replaces files by their names and removes credentials. @param files names by content */
function replaceFiles(key: string, value: JsonValue, files: ReadonlyMap<string, string>): CodeValue {
  if (typeof value === "string") {
    const file = files.get(value);
    if (file !== undefined) return new FileName(file);
    if (value.length < FILE_CHARS || /\s/.test(value.slice(0, FILE_CHARS))) return value;
    const ending = FILE_STARTS.find(([start]) => value.startsWith(start))?.[1];
    return ending ? new FileName(`${key}.${ending}`) : value;
  }
  if (Array.isArray(value)) return value.map((item) => replaceFiles(key, item, files));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !SECRET.test(name));
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, replaceFiles(name, inner as JsonValue, files)]),
  );
}

function withoutSecrets(pairs: [string, string][]): [string, string][] {
  return pairs.filter(([name]) => !SECRET.test(name));
}

export interface Syntax {
  text: (text: string) => string;
  file: (name: string) => string;
  pair: (key: string, value: string) => string;
  object: [open: string, close: string];
  list: [open: string, close: string];
  emptyObject: string;
  words: Record<"true" | "false" | "null", string>;
  /** After the last element of several lines. */
  lastComma: string;
}

/** The literals of JSON, which JavaScript and Python share. */
export const JSON_LITERALS: Omit<Syntax, "file"> = {
  text: (text) => JSON.stringify(text),
  pair: (key, value) => `${JSON.stringify(key)}: ${value}`,
  object: ["{", "}"],
  list: ["[", "]"],
  emptyObject: "{}",
  words: { true: "true", false: "false", null: "null" },
  lastComma: ",",
};

/** Writes a value as the language writes it, over several lines and indented. */
export function writeLiteral(value: CodeValue, syntax: Syntax, indent: string): string {
  if (value instanceof FileName) return syntax.file(value.name);
  if (typeof value === "string") return syntax.text(value);
  if (typeof value === "number") return String(value);
  if (value === null || typeof value === "boolean") return syntax.words[`${value}`];
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => writeLiteral(item, syntax, inner))
    : Object.entries(value).map(([key, item]) => syntax.pair(key, writeLiteral(item, syntax, inner)));
  const [open, close] = isList ? syntax.list : syntax.object;
  if (items.length === 0) return isList ? open + close : syntax.emptyObject;
  return `${open}\n${items.map((item) => inner + item).join(",\n")}${syntax.lastComma}\n${indent}${close}`;
}
