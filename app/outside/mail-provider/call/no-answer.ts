/**
 * End of a call without a readable answer. After `unreachable` the provider has seen nothing; after any other it may have
 * done what the call requested.
 */
export type NoAnswer =
  | { kind: "unreachable"; reason: string }
  | { kind: "timeout" | "cut_off" | "too_large" | "stopped" };

/** Formats it as a sentence. @param timeoutMs time limit of the call */
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
