import { formatCredits } from "~/credits/format-credits";
import type { StartView } from "./start-view";

/** What the first screen says before anything was sent. */

export const START_TITLE = "What do you want to mail?";
export const START_POSTCARD = {
  name: "Send a postcard",
  about: "Design it, test it, then mail what you tested.",
};
export const START_LETTER = {
  name: "Write a letter",
  about: "Type it or attach a PDF, test it, then mail it.",
};
export const START_CUSTOM = {
  name: "New request",
  about: "Type any path, or paste an address or a curl command.",
};
export const LAST_USED = "Last used:";
export const NO_PIECES = "Nothing was mailed yet. Live mail of the current user appears here with its state.";

export const PITCH =
  "Send postcards and letters through your provider's API, and see what became of each one.";
export const PITCH_POINTS = [
  "What you tested is what is mailed: once, and charged once.",
  "One page shows each piece: its PDF, its way, its price.",
  "The provider's key stays on the server.",
];
/** What an example of a piece went through, and when. */
export const PITCH_STEPS = [
  ["09:12", "Tested: PDF checked"],
  ["09:14", "Sent live: 1 credit"],
  ["1 day", "Printed"],
  ["3 days", "Delivered"],
] as const;

/** "November: 12 pieces, 14 credits" */
export function formatMonth({ name, pieces, credits }: StartView["month"]): string {
  return `${name}: ${pieces.toLocaleString("en")} ${pieces === 1 ? "piece" : "pieces"}, ${formatCredits(credits)}`;
}

export function formatAvailable(credits: number): string {
  return `${formatCredits(credits)} available`;
}

export function formatAlarms(count: number): string {
  return count === 1 ? "1 alarm needs a decision" : `${count.toLocaleString("en")} alarms need a decision`;
}
