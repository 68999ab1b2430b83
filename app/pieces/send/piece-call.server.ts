import {
  callProvider,
  type FrozenCall,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { formatRefusalReason, parseProviderBody } from "~/outside/mail-provider/call/provider-body.server";
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
 * @param about what the log says of it
 * @param how the time for it, which is that of a new lease when absent, and the key to call with, else the one that sends
 */
export function callWithPiece(
  call: FrozenCall,
  about: { userId: string; providerPath: string; sendId: string },
  { time = startCallTime(), keyFingerprint = null }: { time?: CallTime; keyFingerprint?: string | null } = {},
): Promise<CallResult> {
  return callUntilAnswered(async (timeoutMs) => {
    // Another process may have the piece by now: what this process did with it before, it cannot tell for certain.
    if (timeoutMs <= 0) return parseResult({ kind: "stopped", durationMs: 0 });
    const result = await callProvider({ ...call, signal: null, timeoutMs, keyFingerprint });
    logProviderCall({ ...about, method: call.method }, result);
    return parseResult(result);
  }, time);
}

/**
 * What came of the first call that we know of. A provider that knows its key from another request may have a piece of which
 * the database has lost the record, so that refusal says nothing: recovery looks at the list.
 */
export function treatKeyConflictAsUnknown(called: CallResult): CallResult {
  const { answer, outcome } = called;
  const known = outcome.kind === "refused" && answer?.status === 422 && /idempotency.?key/i.test(answer.text);
  return known ? { ...called, outcome: { kind: "unknown" } } : called;
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

/** The sends that this process calls the provider with for the first time. */
const underWay = new Set<string>();

/** True while this process makes the first call of a send, also when the database has lost it. */
export function isUnderWay(id: string): boolean {
  return underWay.has(id);
}

/** Does `work` while nothing else in this process may open or repeat the send. */
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
