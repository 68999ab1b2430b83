/** How a call ended without an answer that could be read. After `unreachable` the provider has seen nothing of it. */
export type NoAnswer =
  | { kind: "unreachable"; reason: string }
  | { kind: "timeout" | "cut_off" | "too_large" | "stopped" };

/** What happened, as a sentence. @param timeoutMs of the call */
export function formatNoAnswer(ending: NoAnswer, timeoutMs: number): string {
  switch (ending.kind) {
    case "unreachable":
      return `The provider could not be reached: ${ending.reason}.`;
    case "timeout":
      return `The provider did not answer within ${timeoutMs / 1000} s.`;
    case "cut_off":
      return "The connection to the provider broke off before its answer was complete.";
    case "too_large":
      return "The provider's answer is larger than 60 MB and was cut off.";
    case "stopped":
      return "Stopped before the provider answered.";
  }
}
