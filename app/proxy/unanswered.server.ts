import type { FrozenCall, ProviderResult } from "~/outside/mail-provider/call/client.server";
import { formatNoAnswer, type NoAnswer } from "~/outside/mail-provider/call/no-answer";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/outcome";
import { buildAnswer, type SendAnswer } from "./format-answer.server";
import type { CallClass } from "./live-mail-rule";
import { formatSentRequest } from "./sent-request.server";

const CHECK_NETWORK =
  "Try again in a moment. If it still fails, check the base URL and this server's network.";
const ASK_FOR_LESS = "Ask for less at once, with limit and offset.";
const NOTHING_CHANGED = "Nothing was changed and nothing was charged.";
const ONLY_A_TEST = "This was a test: nothing was mailed and nothing was charged.";
const MAY_BE_DONE = "The provider may have done it all the same; nothing was charged.";

/** Explains a call without an answer: what was and was not done, and the next step. */
export function formatUnanswered(
  ending: NoAnswer,
  call: { method: string; class: CallClass },
  timeoutMs: number,
): { httpStatus: number; error: string; hint: string | null } {
  if (ending.kind === "unreachable") {
    const error = `The provider could not be reached: ${ending.reason}. ${NOTHING_DONE}`;
    return { httpStatus: 502, error, hint: CHECK_NETWORK };
  }
  const happened = formatNoAnswer(ending, timeoutMs);
  return {
    httpStatus: ending.kind === "timeout" ? 504 : 502,
    error: `${happened} ${formatEffect(call)}`,
    hint: ending.kind === "too_large" ? ASK_FOR_LESS : null,
  };
}

/** Formats the answer of `POST /api/stannp` to an unanswered call that is not live mail. */
export function formatUnansweredCall(
  result: Exclude<ProviderResult, { kind: "answered" }>,
  frozen: FrozenCall,
  call: { method: string; class: CallClass },
): SendAnswer {
  const request = formatSentRequest(frozen);
  const { httpStatus, ...why } = formatUnanswered(result, call, env().providerTimeoutMs);
  return buildAnswer(httpStatus, { url: request.url, request, durationMs: result.durationMs, ...why });
}

function formatEffect({ method, class: { kind } }: { method: string; class: CallClass }): string {
  if (method === "GET") return NOTHING_CHANGED;
  if (kind === "mail" || kind === "sample") return ONLY_A_TEST;
  return MAY_BE_DONE;
}
