import { formatCredits } from "~/credits/format-credits";
import { type Failed, fail } from "~/platform/outcome";
import { formatTime } from "~/ui/moment";
import { type ListState, MOST_DAYS_AHEAD } from "./bulk-list";

export const NO_LIST = "There is no such list.";
export const NO_ROW = "There is no such row in this list.";
export const NOT_CHANGED_NOW =
  "The list was started, or waits for approval, so its rows and columns cannot be changed. Nothing was changed.";
export const ERASED = "The people of this list were erased after the retention time.";
export const ROWS_END_FIRST =
  "Some rows of the last start are still being sent. Nothing was reserved; start again in a minute.";
export const BACKGROUND_OFF =
  "Background work is switched off on this server (RECONCILE_INTERVAL_MS is 0), so a list cannot be sent.";

export function formatStopped(released: number): string {
  return `Stopped. ${formatCredits(released)} released.`;
}

export const CANCELLING_ALL = "The pieces are being cancelled one after the other. Each one is refunded.";
export const PROVIDER_NO_ANSWER = "The provider does not answer.";
export const REFUSED_WITHOUT_REASON = "The provider refused it without a reason.";
export const NO_START_TIME = `Choose a time in the next ${MOST_DAYS_AHEAD} days, in UTC. Nothing was changed.`;

export function formatMinutes(minutes: number): string {
  if (minutes <= 1) return "about 1 min";
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`;
}

export function formatStartTime(at: Date): string {
  return `Starts on ${formatTime(at)}`;
}

const STATE_WORDS: Record<ListState, string> = {
  draft: "was not started",
  awaiting_approval: "waits for approval",
  running: "is running",
  paused: "is paused",
  stopped: "was stopped already",
  finished: "has finished already",
};

/** Refuses what a list in this state does not allow. */
export function failNotPossible(state: ListState): Failed {
  return fail("bad_input", `The list ${STATE_WORDS[state]}. Nothing was changed.`);
}
