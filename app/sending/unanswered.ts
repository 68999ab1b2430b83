import { formatNoAnswer, type NoAnswer } from "~/outside/mail-provider/call/no-answer";
import type { CallClass } from "./live-mail-rule";
import {
  ASK_FOR_LESS,
  CHECK_NETWORK,
  formatUnreachable,
  MAY_BE_DONE,
  NOTHING_CHANGED,
  ONLY_A_TEST,
} from "./messages";

interface Unanswered {
  /** The status of our own answer. */
  httpStatus: number;
  error: string;
  hint: string | null;
}

/** The answer to such a call: what was and was not done, and the next step. */
export function formatUnanswered(
  ending: NoAnswer,
  call: { method: string; class: CallClass },
  timeoutMs: number,
): Unanswered {
  if (ending.kind === "unreachable") {
    return {
      httpStatus: 502,
      error: formatUnreachable(ending.reason),
      hint: CHECK_NETWORK,
    };
  }
  const happened = formatNoAnswer(ending, timeoutMs);
  return {
    httpStatus: ending.kind === "timeout" ? 504 : 502,
    error: `${happened} ${formatEffect(call)}`,
    hint: ending.kind === "too_large" ? ASK_FOR_LESS : null,
  };
}

function formatEffect({ method, class: { kind } }: { method: string; class: CallClass }): string {
  if (method === "GET") return NOTHING_CHANGED;
  if (kind === "mail" || kind === "sample") return ONLY_A_TEST;
  return MAY_BE_DONE;
}
