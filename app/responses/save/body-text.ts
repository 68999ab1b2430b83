import { exceedsDepth } from "~/platform/json-text";

/** How a body is kept: as JSON text of bounded size, whatever it was. */

/** A longer body is cut, and says so. */
export const MAX_BODY_CHARS = 1_000_000;
const DEPTH_LIMIT = 64;

/**
 * The JSON text that stands for a body: the body itself where it is JSON, else a JSON string of it. Null for an empty
 * one. A body too long is cut, with a sentence at its end.
 */
export function toBodyText(body: string): string | null {
  if (body === "") return null;
  if (body.length > MAX_BODY_CHARS) return JSON.stringify(cutText(body));
  return isPlainJson(body) ? body : JSON.stringify(body);
}

function cutText(text: string): string {
  const kept = text.slice(0, MAX_BODY_CHARS).replace(/[\ud800-\udbff]$/, "");
  const size = `${text.length.toLocaleString("en")} characters`;
  return `${kept}\n[cut here: it has ${size}, and Mailroom keeps the first ${MAX_BODY_CHARS.toLocaleString("en")}]`;
}

function isPlainJson(text: string): boolean {
  if (exceedsDepth(text, DEPTH_LIMIT)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
