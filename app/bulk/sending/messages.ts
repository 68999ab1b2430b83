import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import { type ListState, MOST_DAYS_AHEAD, TEST_DAYS } from "../bulk-list";
import { formatNumber, formatRows } from "../format-rows";

/** Sentences about tests, start, approval and progress. */

// Tests
export const TEST_ROWS_HINT = "Row numbers, 1 to 5 of them, with commas between.";
export const NOT_TESTED = `Send a test of at least one row first: none is newer than ${TEST_DAYS} days. Nothing was sent live.`;
export const ROWS_TO_TEST =
  "Name 1 to 5 rows of the list by their numbers, with commas between. Nothing was sent.";
export const NO_SAMPLE = "The provider returned no PDF for this row.";

export function formatRowsNotReady(numbers: readonly number[]): string {
  return `These rows are not ready to be sent: ${numbers.map(formatNumber).join(", ")}. Nothing was sent.`;
}

export function formatTestsDone(good: number, all: number): string {
  if (good === all)
    return `${all === 1 ? "The test is" : `${all} tests are`} done. Look at the provider's PDFs before you start.`;
  return `${good} of ${all} tests worked.`;
}

// Start, pause, stop
export const ALREADY_RUNNING = "The list is running already.";
export const NO_READY_ROWS = "No row is ready to be sent. Nothing was reserved.";
const STATE_WORDS: Record<ListState, string> = {
  draft: "was not started",
  awaiting_approval: "waits for approval",
  running: "is running",
  paused: "is paused",
  stopped: "was stopped already",
  finished: "has finished already",
};

export function formatNotPossible(state: ListState): string {
  return `The list ${STATE_WORDS[state]}. Nothing was changed.`;
}

export const CANCEL_ENDS_FIRST =
  "The pieces of this list are still being cancelled. Nothing was reserved or sent; start again when that has ended.";
export const ROWS_END_FIRST =
  "Some rows of the last start are still being sent. Nothing was reserved; start again in a minute.";
export const BACKGROUND_OFF =
  "Background work is switched off on this server (RECONCILE_INTERVAL_MS is 0), so a list cannot be sent.";

/** @param startsAt null: at once */
export function formatStarted(number: number, credits: number, startsAt: Date | null): string {
  const start = startsAt === null ? "Started" : formatStartTime(startsAt);
  return `${start}. ${formatCredits(credits)} reserved for ${formatRows(number)}.`;
}

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

export const TOO_LATE_TO_UNDO = "The list has begun. Stop it to release what is not sent yet.";
export const NO_START_TIME = `Choose a time in the next ${MOST_DAYS_AHEAD} days, in UTC. Nothing was changed.`;

export function formatNumberToType(number: number): string {
  return `Type ${formatNumber(number)} to confirm`;
}

export function formatNumberNotTyped(number: number): string {
  return `Type the number of pieces, ${formatNumber(number)}, to start them. Nothing was reserved or sent.`;
}

export function formatNotAsQuoted(number: number): string {
  return `The list has changed: ${formatRows(number)} can be sent now. Nothing was reserved; look at the quote again.`;
}

export function formatListShortage(cost: number, available: number): string {
  return `The list costs ${formatCredits(cost)}, ${formatNumber(available)} available, ${formatNumber(cost - available)} missing. Nothing was reserved or sent. Buy credits, then start again.`;
}

export function formatPaused(name: string): string {
  return `Paused by ${name}. The credits stay reserved.`;
}

/** @param leftOut rows that the provider already has, after a restore */
export function formatResumed(leftOut: number): string {
  const resumed = "The list is running again.";
  return leftOut === 0
    ? resumed
    : `${resumed} ${formatRows(leftOut)} left out: the provider already has the ${leftOut === 1 ? "piece" : "pieces"}.`;
}

export function formatStopped(released: number): string {
  return `Stopped. ${formatCredits(released)} released.`;
}

export const CANCELLING_ALL = "The pieces are being cancelled one after the other. Each one is refunded.";
export const STOP_BEFORE_CANCEL = "Stop the list first, then cancel what was sent. Nothing was cancelled.";
export const CANCEL_QUESTION =
  "Pieces that are not being printed yet are cancelled, and each one's credits come back. This takes a while.";

// Approval by a second person
export const NOT_WAITING = "This list needs no approval now. Nothing was changed.";
export const OWN_REQUEST =
  "You requested approval, or you made this list or changed its rows. Nothing was sent; another person has to approve it.";
export const APPROVAL_OWN =
  "Someone other than the requester, the list's maker and those who changed its rows must approve it. Nothing can be changed until then.";
export const APPROVAL_WITHDRAWN = "The request for approval was withdrawn. Nothing was sent.";
export const APPROVAL_STALE =
  "The list changed after approval was requested. Nothing was sent. Check its rows and request approval again.";
export const APPROVAL_ASKED =
  "Approval asked for. Another person has to approve this list; nothing is reserved or sent yet.";
export const APPROVAL_REFUSED = "Refused. Nothing was sent.";
export const REFUSAL_REASON_MISSING = "Say why you refuse. The list still needs a decision.";
export const REFUSAL_HINT = "Shown on the list. Nothing is sent, and its rows can be changed again.";

/** For the alarm, which is logged: without a name. */
export function formatApprovalAsked(number: number, cost: number): string {
  return `A list of ${formatRows(number)} for ${formatCredits(cost)} needs another person's approval.`;
}

export function formatApproved(name: string): string {
  return `Approved by ${name}.`;
}

export function formatRefusal(name: string, reason: string): string {
  return `Not approved by ${name}: ${reason}`;
}

export function formatApproveButton(mailType: MailType, number: number, cost: number): string {
  return `Approve and start LIVE: ${formatNumber(number)} ${mailType}${number === 1 ? "" : "s"}, reserves ${formatCredits(cost)}`;
}

export function formatAskButton(number: number): string {
  return `Ask for approval of ${formatRows(number)}`;
}

export const NEEDS_APPROVAL_HINT = "Another person has to approve this list. Nothing is sent before.";

// Why a list waits or is paused
export const PROVIDER_NO_ANSWER = "The provider does not answer.";
export const PROVIDER_BUSY = "The provider's rate limit is used up.";
export const OUT_OF_FUNDS_NOTE =
  "The provider's account is out of funds; your credits are not affected. Top it up there, then resume.";
export const KEY_REFUSED_NOTE = "The provider refuses the server's key. Correct the key, then resume.";
export const NOT_CONFIGURED_NOTE = "The server has no provider key. Set STANNP_API_KEY, then resume.";
export const RESERVATION_SHORT_NOTE =
  "The reserved credits do not cover the next row. Stop the list and start it again.";
export const STARTER_NOT_ALLOWED_NOTE =
  "The person who started this list may no longer sign in. Stop the list; another person can start it again.";
export const RESTORED_NOTE =
  "This list was running when its backup was made. Resume compares it with the provider's list and leaves out what was mailed.";
export const MAILED_BEFORE_RESTORE =
  "The provider already has this piece: it was mailed after the backup was made.";
export const STARTER_LIMIT_NOTE =
  "The daily limit of the person who started this list is used up. Resume it after 00:00 UTC.";
export const REFUSED_WITHOUT_REASON = "The provider refused it without a reason.";

export function formatNotCompared(reason: string): string {
  return `The list came from a backup and could not be compared with the provider's list: ${reason} Nothing was sent; try again.`;
}

export function formatEnded(name: string): string {
  return `Ended by ${name}: not mailed.`;
}

export function formatRetry(seconds: number): string {
  return `It is tried again after ${seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}.`;
}

// On the page
export const PROVIDER_PDF = "Provider's PDF";
export const TEST_ABOUT = `Get a free test of rows of your choice. You can start within ${TEST_DAYS} days after one.`;
export const TESTED = `This design is tested; a test counts for ${TEST_DAYS} days. The provider's PDFs are beside the rows.`;
export const PICTURE_FETCHED =
  "The provider fetches this picture when each row is sent. It can differ from the test.";
export const TEMPLATE_AT_PROVIDER =
  "The template is the provider's. A change there after the test also changes what is mailed.";
export const TEST_FIRST = "Send a test first.";
export const PRICE_NOT_KNOWN = "known after a test";
export const PROGRESS_OF_LIST = "Rows handed over to the provider";

export function formatMissing(missing: number): string {
  return `${formatCredits(missing)} missing.`;
}

export function formatStartButton(mailType: MailType, number: number, cost: number): string {
  return `Start LIVE: ${formatNumber(number)} ${mailType}${number === 1 ? "" : "s"}, reserves ${formatCredits(cost)}`;
}

export function formatMinutes(minutes: number): string {
  if (minutes <= 1) return "about 1 min";
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`;
}

export function formatProgress(done: number, total: number): string {
  return `${formatNumber(done)} of ${formatRows(total)}`;
}

export function formatStopQuestion(sent: number, left: number, reserved: string): string {
  return `${formatNumber(sent)} are on their way already. ${formatNumber(left)} will not be sent, and ${reserved} come back.`;
}

export function formatCancelAll(number: number): string {
  return `Cancel ${formatNumber(number)} ${number === 1 ? "piece" : "pieces"}`;
}
