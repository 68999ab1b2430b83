import type { DraftWithChoices } from "./draft";

/** A curl command as a draft. */
export interface OpenedCurl {
  opened: Omit<DraftWithChoices, "userId">;
}

/** The result of pasting a curl command, or why it was not used. */
export type CurlShown = { notes: string[] } | { problem: string; command: string };

/** True when a pasted text is a curl command. */
export function isCurlCommand(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}
