import { formatCredits } from "~/credits/format-credits";
import { MOST_DAYS_AHEAD } from "../bulk-list";
import { formatNumber, formatRows } from "../format-rows";

export function formatTestsDone(good: number, all: number): string {
  if (good === all)
    return `${all === 1 ? "The test is" : `${all} tests are`} done. Check the provider's PDFs before you start.`;
  return `${good} of ${all} tests worked.`;
}

export const ROWS_END_FIRST =
  "Some rows of the last start are still being sent. Nothing was reserved; start again in a minute.";
export const BACKGROUND_OFF =
  "Background work is switched off on this server (RECONCILE_INTERVAL_MS is 0), so a list cannot be sent.";

const startTime = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});

export function formatStartTime(at: Date): string {
  return `Starts on ${startTime.format(at)} UTC`;
}

export function formatStarting(number: number): string {
  return `Starting ${formatNumber(number)} pieces…`;
}

export function formatUndone(released: number): string {
  return `The start was undone. Nothing was sent. ${formatCredits(released)} released.`;
}

export const NO_START_TIME = `Choose a time in the next ${MOST_DAYS_AHEAD} days, in UTC. Nothing was changed.`;

export function formatNumberToType(number: number): string {
  return `Type ${formatNumber(number)} to confirm`;
}

export function formatNumberNotTyped(number: number): string {
  return `Type the number of pieces, ${formatNumber(number)}, to start them. Nothing was reserved or sent.`;
}

export function formatStopped(released: number): string {
  return `Stopped. ${formatCredits(released)} released.`;
}

export const CANCELLING_ALL = "The pieces are being cancelled one after the other. Each one is refunded.";

export const APPROVAL_OWN =
  "Someone other than the requester, the list's maker and those who changed its rows must approve it. Nothing can be changed until then.";

export const APPROVAL_ASKED =
  "Approval requested. Another person has to approve this list; nothing is reserved or sent yet.";
export const APPROVAL_REFUSED = "Refused. Nothing was sent.";
export const REFUSAL_REASON_MISSING = "Say why you refuse. The list still needs a decision.";

export function formatRefusal(name: string, reason: string): string {
  return `Not approved by ${name}: ${reason}`;
}

export function formatAskButton(number: number): string {
  return `Ask for approval of ${formatRows(number)}`;
}

export const PROVIDER_NO_ANSWER = "The provider does not answer.";

export const OUT_OF_FUNDS_NOTE =
  "The provider's account is out of funds; your credits are not affected. Top it up there, then resume.";

export const REFUSED_WITHOUT_REASON = "The provider refused it without a reason.";

export const PROGRESS_OF_LIST = "Rows sent to the provider";

export function formatMissing(missing: number): string {
  return `${formatCredits(missing)} missing.`;
}

export function formatMinutes(minutes: number): string {
  if (minutes <= 1) return "about 1 min";
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`;
}
