import { isRecord } from "~/platform/json-value";
import type { StoredRequest, StoredResponse, StrippedFile } from "./stored-response";
import type { ShownBodies } from "./tab/stored-view";

/** Both bodies of a stored response as a page shows them. */
export function toBodies({ request_data, response_data }: StoredResponse): ShownBodies {
  return { request: formatStrippedFiles(request_data ?? null), response: response_data ?? null };
}

/** The request as Mailroom itself stores it; null for one that was saved by hand in another shape. */
export function parseStoredRequest(data: unknown): StoredRequest | null {
  if (!isRecord(data)) return null;
  const { base, method, path, query, headers, body } = data;
  if (typeof method !== "string" || typeof path !== "string" || path === "") return null;
  return {
    base: typeof base === "string" ? base : "",
    method: method.toUpperCase(),
    path,
    query: readPairs(query),
    headers: readPairs(headers),
    body: body ?? null,
  };
}

/** A value in which a sentence stands for each file that was not kept. */
export function formatStrippedFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formatStrippedFiles);
  if (!isRecord(value)) return value;
  if (isElided(value)) {
    return `(file of ${value.bytes.toLocaleString("en")} bytes, not kept; SHA-256 ${value.sha256})`;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, formatStrippedFiles(item)]));
}

function isElided(value: Record<string, unknown>): value is Record<string, unknown> & StrippedFile {
  return value.elided === "base64" && typeof value.bytes === "number" && typeof value.sha256 === "string";
}

function readPairs(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
}
