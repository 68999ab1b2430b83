import { formatNoAnswer, type NoAnswer } from "~/outside/mail-provider/no-answer";
import type { CallClass } from "./classify";

interface Unanswered {
  /** The status of our own answer (design §5). */
  httpStatus: number;
  error: string;
  hint: string | null;
  /** A live send that may have been accepted. */
  pending: true | null;
}

/** What to tell of such a call: what was and was not done, and the next step. */
export function describeUnanswered(
  ending: NoAnswer,
  call: { method: string; class: CallClass; live: boolean },
  timeoutMs: number,
): Unanswered {
  if (ending.kind === "unreachable") {
    return {
      httpStatus: 502,
      error: `The provider could not be reached: ${ending.reason}. Nothing was sent and nothing was charged.`,
      hint: "Try again in a moment; if it stays so, check the base URL and this server's network.",
      pending: null,
    };
  }
  const happened = formatNoAnswer(ending, timeoutMs);
  if (call.live && call.class.kind === "mail") {
    return {
      httpStatus: 202,
      error: `${happened} The provider may have accepted this ${call.class.mailType}. It will not be sent again by itself, and no credits were deducted.`,
      hint: `Look for the ${call.class.mailType} at the provider before you send it again.`,
      pending: true,
    };
  }
  return {
    httpStatus: ending.kind === "timeout" ? 504 : 502,
    error: `${happened} ${describeEffect(call)}`,
    hint: ending.kind === "too_large" ? "Ask for less at once, with limit and offset." : null,
    pending: null,
  };
}

function describeEffect({ method, class: { kind } }: { method: string; class: CallClass }): string {
  if (method === "GET") return "Nothing was changed and nothing was charged.";
  if (kind === "mail" || kind === "sample")
    return "This was a test: nothing was mailed and nothing was charged.";
  return "It may have carried the call out all the same; nothing was charged.";
}
