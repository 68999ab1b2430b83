import {
  formatRefusalReason,
  parseProviderBody,
  REFUSING_STATUSES,
} from "~/outside/mail-provider/call/answer";
import {
  callProvider,
  type FrozenCall,
  logProviderCall,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { parseWaitSeconds } from "~/outside/mail-provider/call/rate-headers";
import { parseJson, parseRecord } from "~/platform/json-value";
import { endSentence } from "~/platform/sentence";
import { type CallTime, callUntilAnswered } from "../lease.server";
import type { MailType } from "../mail-type";

const MAX_REASON_CHARS = 300;

/** The result of calling the provider with a piece: its answer and the meaning. */
export type CallResult =
  | { answer: ProviderAnswer; outcome: ProviderOutcome; result: null }
  | {
      answer: null;
      outcome: { kind: "never_sent" | "unknown" };
      result: Exclude<ProviderResult, { kind: "answered" }>;
    };

/**
 * Calls the provider with one piece of live mail, always with the same bytes. Never throws.
 * @param meta for the log
 * @param keyFingerprint of the key to call with; null for the current one
 */
export function callWithPiece(
  call: FrozenCall,
  meta: { userId: string; providerPath: string; sendId: string },
  time: CallTime,
  keyFingerprint: string | null = null,
): Promise<CallResult> {
  return callUntilAnswered(async (timeoutMs) => {
    // Another process may have the piece by now, so the outcome of earlier calls is uncertain.
    if (timeoutMs <= 0) return parseResult({ kind: "stopped", durationMs: 0 });
    const result = await callProvider({ ...call, signal: null, timeoutMs, keyFingerprint });
    logProviderCall({ ...meta, method: call.method }, result);
    return parseResult(result);
  }, time);
}

/**
 * Treats a refusal because of a known key as unknown: the provider may have a piece whose record the database lost.
 * Recovery checks the list.
 */
export function treatKeyConflictAsUnknown(called: CallResult): CallResult {
  const { answer, outcome } = called;
  const isConflict =
    outcome.kind === "refused" && answer?.status === 422 && /idempotency.?key/i.test(answer.text);
  return isConflict ? { ...called, outcome: { kind: "unknown" } } : called;
}

function parseResult(result: ProviderResult): CallResult {
  if (result.kind !== "answered") {
    const kind = result.kind === "unreachable" ? "never_sent" : "unknown";
    return { answer: null, outcome: { kind }, result };
  }
  const { status, durationMs, text, headers } = result;
  const answer = { status, durationMs, text, headers };
  return { answer, outcome: parseProviderOutcome(answer), result: null };
}

/** Sends whose first call this process is making. */
const underWay = new Set<string>();

/** True while this process makes the first call of a send, even if the database has lost it. */
export function isUnderWay(id: string): boolean {
  return underWay.has(id);
}

/** Runs `work` while nothing else in this process may open or repeat the send. */
export async function whileUnderWay<T>(id: string, work: () => Promise<T>): Promise<T> {
  underWay.add(id);
  try {
    return await work();
  } finally {
    underWay.delete(id);
  }
}

/** Formats a refusal in the provider's words: "the provider refused this postcard: Recipient not found." */
export function formatRefusal(mailType: MailType, answer: ProviderAnswer | null): string {
  const reason = answer && formatRefusalReason(answer.status, parseProviderBody(answer.text));
  const why = reason === null ? "." : `: ${endSentence(reason.slice(0, MAX_REASON_CHARS))}`;
  return `the provider refused this ${mailType}${why}`;
}

/** The meaning of an answer to live mail, for the piece and its money. */
export type ProviderOutcome =
  | { kind: "accepted"; providerId: string | null }
  /** Made as a sample: nothing is printed or charged. */
  | { kind: "sample" }
  | { kind: "refused" }
  /** Not done; retry after `waitSeconds`. */
  | { kind: "rate_limited"; waitSeconds: number }
  /** It may have been carried out. */
  | { kind: "unknown" };

/** Parses the provider's answer to a letter or postcard. */
export function parseProviderOutcome(answer: Omit<ProviderAnswer, "durationMs">): ProviderOutcome {
  const { status, headers, text } = answer;
  const { success, data } = parseRecord(parseJson(text));
  if (status === 429) return { kind: "rate_limited", waitSeconds: parseWaitSeconds(headers) };
  if (status === 409 || (status >= 200 && status <= 299)) {
    if (success === true) return parsePiece(data);
    return success === false && status !== 409 ? { kind: "refused" } : { kind: "unknown" };
  }
  return REFUSING_STATUSES.has(status) ? { kind: "refused" } : { kind: "unknown" };
}

function parsePiece(data: unknown): ProviderOutcome {
  const { id, status } = parseRecord(data);
  if (status === "test" || id === 0 || id === "0") return { kind: "sample" };
  return { kind: "accepted", providerId: parseId(id) };
}

/**
 * Parses the provider's id. Ids are whole numbers, but any short name is accepted, so that a mailed piece is not lost
 * for its id.
 */
function parseId(id: unknown): string | null {
  const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
  return /^[\w.-]{1,64}$/.test(text) ? text : null;
}
