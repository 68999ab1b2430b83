import { exceedsDepth } from "~/platform/json-text";
import { formatCut } from "../messages";

/** Bodies are stored as JSON text of a limited size. */

/** A longer body is cut. */
export const MAX_BODY_CHARS = 1_000_000;
const DEPTH_LIMIT = 64;

/**
 * A body as JSON text: the body itself if it is JSON, else a JSON string of it. Null for an empty body. A body that is
 * too long is cut and says so at its end.
 */
export function toBodyText(body: string): string | null {
  if (body === "") return null;
  if (body.length > MAX_BODY_CHARS) return JSON.stringify(cutText(body));
  return isPlainJson(body) ? body : JSON.stringify(body);
}

function cutText(text: string): string {
  const kept = text.slice(0, MAX_BODY_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${kept}\n${formatCut(text.length, MAX_BODY_CHARS)}`;
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
