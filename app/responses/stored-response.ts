import { formatInteger } from "~/platform/format-integer";
import { isRecord, parseJson } from "~/platform/json-value";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const MODES = ["test", "live"] as const;
export const NOT_A_METHOD = `must be one of ${METHODS.join(", ")}`;

/** The mode of a letter or postcard: a test, or real mail. */
export type ResponseMode = (typeof MODES)[number];

/** A request as it is stored: enough to open it in the Builder as it was sent. */
export interface StoredRequest {
  /** Label of the base URL. */
  base: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}

/** Replaces the base64 of a file in a stored request. The hash identifies the file. */
export interface StrippedFile {
  elided: "base64";
  bytes: number;
  sha256: string;
}

/** The parts of a row that `?columns=` can hide, with their labels. */
export const COLUMNS = { to: "To", status: "Status and duration", user: "User and time", tags: "Tags" };
export type Column = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];

/** The bodies of one stored response as they are stored: JSON texts, null when empty. */
export interface ShownBodies {
  request: string | null;
  response: string | null;
}

export function toBodies(request: string | null, response: string | null): ShownBodies {
  return { request: request && formatRequestBody(parseJson(request)), response };
}

/** Formats a request body as JSON text, with a sentence in place of each stripped file. */
export function formatRequestBody(body: unknown): string | null {
  return body === null || body === undefined ? null : JSON.stringify(formatStrippedFiles(body));
}

/** Parses the request of a stored response; null for another shape, which was saved by hand. */
export function parseStoredRequest(data: unknown): StoredRequest | null {
  if (!isRecord(data)) return null;
  const { base, method, path, query, headers, body } = data;
  if (typeof method !== "string" || typeof path !== "string" || path === "") return null;
  return {
    base: typeof base === "string" ? base : "",
    method: method.toUpperCase(),
    path,
    query: toTexts(query),
    headers: toTexts(headers),
    body: body ?? null,
  };
}

/** Copies a value and replaces each stripped file by a sentence. */
export function formatStrippedFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formatStrippedFiles);
  if (!isRecord(value)) return value;
  const { elided, bytes, sha256 } = value;
  if (elided === "base64" && typeof bytes === "number" && typeof sha256 === "string") {
    return formatStrippedFile(bytes, sha256);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, formatStrippedFiles(item)]));
}

function toTexts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
}

export function formatStrippedFile(bytes: number, sha256: string): string {
  return `(file of ${formatInteger(bytes)} bytes, not kept; SHA-256 ${sha256})`;
}
