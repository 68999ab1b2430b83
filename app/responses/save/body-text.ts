import { exceedsDepth } from "~/platform/json-text";
import { formatCut } from "../messages";

/** Bodies are stored as JSON text of a limited size. */

/** A longer body is cut. */
export const MAX_BODY_CHARS = 1_000_000;
const DEPTH_LIMIT = 64;

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

function cutText(text: string): string {
  const kept = text.slice(0, MAX_BODY_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${kept}\n${formatCut(text.length, MAX_BODY_CHARS)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
