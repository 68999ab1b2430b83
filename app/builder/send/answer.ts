import { formatNonJson } from "~/outside/mail-provider/call/non-json";
import { isRecord, parseJson } from "~/platform/json-value";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { LiveStep } from "../draft/autosaver";

export type Answer =
  | { kind: "answered"; response: ProxyResponse }
  /** `httpStatus` is the status of our own server's answer; null when it did not answer itself. */
  | {
      kind: "failed";
      message: string;
      response: ProxyResponse | null;
      httpStatus: number | null;
      /** Finds the call in the API log. */
      requestId?: string | null;
    }
  | { kind: "stopped"; response: null };

/** Parses the answer to `POST /api/stannp`. It may come from something in front of our server and be no JSON. */
export function parseAnswer(status: number, text: string): Answer {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) {
    return { kind: "failed", message: formatNonJson(text), response: null, httpStatus: null };
  }
  if ("durationMs" in parsed) return toAnswer(status, parsed as unknown as ProxyResponse);
  const message = formatStatus(status, parsed.error);
  return { kind: "failed", message, response: null, httpStatus: parsed.success === false ? status : null };
}

export function toAnswer(status: number, response: ProxyResponse): Answer {
  if (status >= 200 && status < 300) return { kind: "answered", response };
  return { kind: "failed", message: formatStatus(status, response.error), response, httpStatus: status };
}

function formatStatus(status: number, error: unknown): string {
  return typeof error === "string" && error !== "" ? error : `Request failed with status ${status}`;
}

const DATABASE_DOWN = 503;

/** True when a live send certainly created nothing. Its key would only repeat this answer, so sending again needs a new one. */
export function isRefused(answer: Answer): boolean {
  // Our server sends no live mail without its database. A 503 from a gateway in front of it proves nothing.
  if (!answer.response) return answer.kind === "failed" && answer.httpStatus === DATABASE_DOWN;
  const { credits, error, pending, duplicate_of: duplicate } = answer.response;
  if (duplicate) return true;
  return credits !== null && !credits.success && !credits.pending && !pending && error !== null;
}

/** Returns the consequence of an answer to a live send for the autosaved draft. */
export function toLiveStep(answer: Answer): LiveStep {
  if (isRefused(answer)) return "refused";
  const done = answer.kind === "answered" && answer.response.error === null && !answer.response.pending;
  return done ? "accepted" : "unknown";
}

/** True when the request went to the provider. */
export function wasSent(response: ProxyResponse | null): response is ProxyResponse {
  return response !== null && (response.request !== null || response.pending === true);
}
