import { explainNonJson } from "~/outside/mail-provider/non-json";
import type { ProxyResponse } from "~/sending/proxy-types";

/** What came of a send, as the response panel shows it. */
export type Answer =
  | { kind: "answered"; response: ProxyResponse }
  /** `httpStatus` is that of our own answer; null when there was none, or something in between spoke for us. */
  | { kind: "failed"; message: string; response: ProxyResponse | null; httpStatus: number | null }
  | { kind: "stopped" };

/**
 * Reads what our own server (or a proxy before it) said to `POST /api/stannp` (spec §8 "Proxy response not
 * JSON"). `status` is the HTTP status of that answer, `text` its body.
 */
export function parseAnswer(status: number, text: string): Answer {
  const parsed = parseObject(text);
  if (parsed === null) {
    return { kind: "failed", message: explainNonJson(text), response: null, httpStatus: null };
  }
  const response = "durationMs" in parsed ? (parsed as unknown as ProxyResponse) : null;
  if (status >= 200 && status < 300 && response) return { kind: "answered", response };
  const error = parsed.error;
  const message = typeof error === "string" && error !== "" ? error : `Request failed with status ${status}`;
  const ours = response !== null || parsed.success === false;
  return { kind: "failed", message, response, httpStatus: ours ? status : null };
}

const DATABASE_DOWN = 503;

/**
 * Whether nothing came of a live send for certain, so that sending it again is a send of its own and needs a new
 * key: with the old one the first answer would only be repeated.
 */
export function isRefused(answer: Answer): boolean {
  if (answer.kind === "stopped") return false;
  // Our own word: without its ledger live mail does not go out, now or later. A gateway's 503 knows nothing of it.
  if (!answer.response) return answer.kind === "failed" && answer.httpStatus === DATABASE_DOWN;
  const { credits, error, pending, duplicate_of: duplicate } = answer.response;
  if (duplicate) return true;
  return credits !== null && !credits.success && !credits.pending && !pending && error !== null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
