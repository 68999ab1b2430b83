import {
  callProvider,
  type FrozenCall,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/client.server";
import { explainRefusal, parseProviderBody } from "~/outside/mail-provider/provider-body.server";
import { parseJson } from "~/platform/json-value";
import { callUntilAnswered, logProviderCall } from "../call-until-answered.server";
import type { MailType } from "../mail-type";
import { formatRefused } from "../messages";
import { type ProviderOutcome, parseProviderOutcome } from "./provider-outcome";

const MAX_REASON_CHARS = 300;

/** What came of calling the provider with a piece: its answer, and what that means. */
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
 */
export function callWithPiece(
  call: FrozenCall,
  about: { userId: string; providerPath: string; sendId?: string },
): Promise<CallResult> {
  return callUntilAnswered(async (timeoutMs) => {
    const result = await callProvider({ ...call, signal: null, timeoutMs });
    logProviderCall({ ...about, method: call.method }, result);
    return parseResult(result);
  });
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

/** Why the provider refused a piece, in its own words. */
export function formatRefusal(mailType: MailType, answer: ProviderAnswer | null): string {
  const reason = answer && explainRefusal(answer.status, parseProviderBody(answer.text));
  return formatRefused(mailType, reason?.slice(0, MAX_REASON_CHARS) ?? null);
}
