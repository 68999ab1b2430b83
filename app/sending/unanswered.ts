import type { CallClass } from "./classify";

/** How a call ended without an answer that could be read. */
export type Ending =
  | { kind: "unreachable"; reason: string }
  | { kind: "timeout" | "cut_off" | "too_large" | "stopped" };

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
  ending: Ending,
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
  const happened = tellEnding(ending.kind, timeoutMs);
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

/** How a call ended that went out and brought no answer. */
export function tellEnding(kind: Exclude<Ending["kind"], "unreachable">, timeoutMs: number): string {
  return {
    timeout: `The provider did not answer within ${timeoutMs / 1000} s.`,
    cut_off: "The connection to the provider broke off before its answer was complete.",
    too_large: "The provider's answer is larger than 60 MB and was cut off.",
    stopped: "Stopped before the provider answered.",
  }[kind];
}

function describeEffect({ method, class: { kind } }: { method: string; class: CallClass }): string {
  if (method === "GET") return "Nothing was changed and nothing was charged.";
  if (kind === "mail" || kind === "sample")
    return "This was a test: nothing was mailed and nothing was charged.";
  return "It may have carried the call out all the same; nothing was charged.";
}
