import { formatRefusalReason, parseProviderBody } from "~/outside/mail-provider/call/answer";
import {
  callProvider,
  type FrozenCall,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { parseJson } from "~/platform/json-value";
import { callUntilAnswered, logProviderCall } from "../call-until-answered.server";
import { type CallTime, startCallTime } from "../lease.server";
import type { MailType } from "../mail-type";
import { endSentence } from "../messages";
import { type ProviderOutcome, parseProviderOutcome } from "./provider-outcome";

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
 * @param options the time left (by default that of a new lease), and the key to call with (by default the current
 * one)
 */
export function callWithPiece(
  call: FrozenCall,
  meta: { userId: string; providerPath: string; sendId: string },
  { time = startCallTime(), keyFingerprint = null }: { time?: CallTime; keyFingerprint?: string | null } = {},
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
    return {
      answer: null,
      outcome: { kind: result.kind === "unreachable" ? "never_sent" : "unknown" },
      result,
    };
  }
  const { status, durationMs, text, headers } = result;
  const answer = { status, durationMs, text, headers };
  const outcome = parseProviderOutcome({ status, headers, parsed: parseJson(text) });
  return { answer, outcome, result: null };
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
