import type { DraftWithChoices } from "./draft";

/** The parts of a curl command that the draft changed or dropped. */
export interface CurlReport {
  /** Places of dropped API keys: "-u", "api_key in the body". */
  keys: string[];
  /** The host of the command and the base URL that is used instead; null when the command's own is configured. */
  otherBase: { host: string; label: string } | null;
  /** Files that have to be chosen in the form. */
  filesToChoose: string[];
  /** Files that the body edited by hand has a place for. */
  filesByHand: string[];
  headersLeftOut: string[];
  /** Values that the preset's form cannot hold. */
  unfit: string[];
  repeated: string[];
  wasLive: boolean;
}

/** A curl command as a draft, with what is not in it. */
export interface OpenedCurl {
  opened: Omit<DraftWithChoices, "userId">;
  report: CurlReport;
}

/** The result of pasting a curl command, or why it was not used. */
export type CurlShown = { notes: string[] } | { problem: string; command: string };

/** True when a pasted text is a curl command. */
export function isCurlCommand(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}
