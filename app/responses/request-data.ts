import { isRecord, parseJson } from "~/platform/json-value";
import { formatStrippedFile } from "./messages";
import type { StoredRequest, StrippedFile } from "./stored-response";
import type { ShownBodies } from "./tab/stored-view";

/** Formats the stored bodies of a response for pages. */
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
  if (isStripped(value)) {
    return formatStrippedFile(value.bytes, value.sha256);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, formatStrippedFiles(item)]));
}

function isStripped(value: Record<string, unknown>): value is Record<string, unknown> & StrippedFile {
  return value.elided === "base64" && typeof value.bytes === "number" && typeof value.sha256 === "string";
}

function toTexts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
}
