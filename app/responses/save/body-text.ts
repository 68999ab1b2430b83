import { formatInteger } from "~/platform/format-integer";
import { measureJson } from "~/platform/json-text";
import { parseJson } from "~/platform/json-value";

/** Limit of a body in JSON text; a longer one is cut. */
export const MAX_BODY_CHARS = 1_000_000;
const MAX_BODY_BYTES = 5 * 1024 * 1024;
const DEPTH_LIMIT = 64;

/** Ends the text of a file that is too large to be stored. */
export const NOT_STORED = ", over 5 MB, not stored";

export type StoredBody = ReturnType<typeof toStoredBody>;

/**
 * Converts a body for storing: JSON text, and its bytes if that text is not enough. Keeps only the text of more than
 * 5 MB.
 * @param bytes the body, when it is not `body` in UTF-8
 */
export function toStoredBody(body: string, bytes?: Uint8Array, isJson?: boolean) {
  if (bytes && bytes.length > MAX_BODY_BYTES) return { text: toBodyText(body + NOT_STORED), bytes: null };
  const text = toBodyText(body, isJson);
  const exact = bytes ?? (readBodyText(text) === body ? null : Buffer.from(body));
  return { text, bytes: exact && exact.length <= MAX_BODY_BYTES ? exact : null };
}

/**
 * Converts a body to JSON text: the body itself if it is JSON, else a JSON string. Null for an empty body. A body
 * that is too long is cut and says so.
 * @param known set when it is already known to be JSON or not
 */
export function toBodyText(body: string, known?: boolean): string | null {
  if (body === "") return null;
  if (body.length > MAX_BODY_CHARS) return JSON.stringify(cutText(body));
  const isPlain = (known ?? parseJson(body) !== undefined) && measureJson(body).depth <= DEPTH_LIMIT;
  return isPlain ? body : JSON.stringify(body);
}

/** Reads the body of a body text, unless it was cut or was a JSON string. */
export function readBodyText(bodyText: string | null): string {
  if (bodyText === null || !bodyText.startsWith('"')) return bodyText ?? "";
  return JSON.parse(bodyText) as string;
}

function cutText(text: string): string {
  const start = text.slice(0, MAX_BODY_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${start}\n[cut here: only the first ${formatInteger(MAX_BODY_CHARS)} of ${formatInteger(text.length)} characters are kept]`;
}
