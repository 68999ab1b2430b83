import { exceedsDepth } from "~/platform/json-text";

/** Bodies are stored as JSON text of a limited size. */

/** A longer body is cut. */
export const MAX_BODY_CHARS = 1_000_000;
const MAX_BODY_BYTES = 5 * 1024 * 1024;
const DEPTH_LIMIT = 64;

/** A body as it is stored. */
export interface StoredBody {
  text: string | null;
  /** The body itself, where `text` does not say which bytes came. */
  bytes: Uint8Array | null;
}

/**
 * A body as it is stored: as JSON text, and byte for byte where that text is not enough. Of more than 5 MB only the text
 * is kept.
 * @param bytes the body, when it is not `body` in UTF-8
 */
export function toStoredBody(body: string, bytes?: Uint8Array, isJson?: boolean): StoredBody {
  const text = toBodyText(body, isJson);
  const exact = bytes ?? (readBodyText(text) === body ? null : Buffer.from(body));
  return { text, bytes: exact && exact.length <= MAX_BODY_BYTES ? exact : null };
}

/**
 * A body as JSON text: the body itself if it is JSON, else a JSON string of it. Null for an empty body. A body that is
 * too long is cut and says so at its end.
 * @param known whether it is JSON, where that was found out before
 */
export function toBodyText(body: string, known?: boolean): string | null {
  if (body === "") return null;
  if (body.length > MAX_BODY_CHARS) return JSON.stringify(cutText(body));
  const isPlain = (known ?? isJson(body)) && !exceedsDepth(body, DEPTH_LIMIT);
  return isPlain ? body : JSON.stringify(body);
}

/** The body that a body text was made of, unless it was cut or was a JSON string. */
export function readBodyText(bodyText: string | null): string {
  if (bodyText === null || !bodyText.startsWith('"')) return bodyText ?? "";
  return JSON.parse(bodyText) as string;
}

function cutText(text: string): string {
  const kept = text.slice(0, MAX_BODY_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${kept}\n[cut here: only the first ${MAX_BODY_CHARS.toLocaleString("en")} of ${text.length.toLocaleString("en")} characters are kept]`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
