import { formatCredits } from "~/credits/format-credits";
import { formatNoAnswer, type NoAnswer } from "~/outside/mail-provider/call/no-answer";
import { NOTHING_DONE } from "~/platform/outcome";
import type { MailType } from "./mail-type";
import type { CreditState, PieceState } from "./states";

/** Sentences about a piece that several files share, or that alarms and the API word. */

/* Sending */

export const SETTLED_LATER =
  "the database went away before this was stored, which happens once when it is back.";
export const TREATED_AS_TEST = "the provider treated this as a test, so nothing was mailed.";
export const NEVER_CALLED = "the console stopped before it was sent.";
export const RATE_LIMIT_USED_UP = "the provider's rate limit was used up.";
export const PROVIDER_UNREACHABLE = "the provider could not be reached.";
export const KEY_NOT_CONFIGURED =
  "it was sent with an API key that this server does not have. Name the key in STANNP_RETIRED_API_KEYS, or look at the provider's site whether it was mailed.";
export const RETRY_ENDED_NOT_LISTED =
  "it was not to be sent again, and the provider lists no piece with its tag.";
export const NOT_TOLD_YET = "the provider could not tell yet.";
export const REFUSED_BY_NOW =
  "the provider refuses it by now; its list is checked once more, in case it was mailed before.";
export const NOT_LISTED_YET = "the provider's list does not have it yet.";
export const NOT_LISTED_A_DAY_LATER =
  "a day later the provider still lists no piece with its tag, so it was not mailed.";
export const NOT_ASKED_WITHIN_A_DAY = "the provider could not be asked within a day whether this was mailed.";

/** Finds the state of a piece's credits. */
export function findCreditState(send: {
  state: PieceState;
  mailType: MailType;
  charged: number;
  note: string | null;
}): CreditState {
  switch (send.state) {
    case "accepted":
    case "cancelling":
    case "cancelled":
      return { kind: "charged", charged: send.charged };
    case "refused":
      return { kind: "released", why: send.note ?? "it was not mailed." };
    case "needs_review":
      return { kind: "held", why: "a person has to say whether it was mailed." };
    case "reserved":
    case "sending":
    case "unknown":
      return { kind: "held", why: `it is not known yet whether this ${send.mailType} was mailed.` };
  }
}

/** Why it is not known whether a piece was mailed. */
export function formatUnclearCall(
  { answer, result }: { answer: { status: number } | null; result: NoAnswer | null },
  timeoutMs: number,
): string {
  if (result) return formatNoAnswer(result, timeoutMs);
  return `The provider's answer (status ${answer?.status ?? "unknown"}) does not say whether it was done.`;
}

export function formatTreatedAsTest(mailType: MailType): string {
  return `the provider treated this ${mailType} as a test, so nothing was mailed.`;
}

/** "the provider refused this postcard: Recipient not found." */
export function formatRefused(mailType: MailType, reason: string | null): string {
  if (reason === null) return `the provider refused this ${mailType}.`;
  return `the provider refused this ${mailType}: ${endSentence(reason)}`;
}

export function formatMailedByEvent(status: string, providerId: string): string {
  return `the provider's webhook says that it is ${status.replaceAll("_", " ")} as item ${providerId}, so it was mailed.`;
}

/* Decisions */

export const NO_SEND = "There is no piece with this id. Nothing was changed.";
export const NEEDS_NO_DECISION = "This piece needs no decision any more. Nothing was changed.";
export const DECIDED_MAILED = "Marked as mailed. Its credits were charged.";
export const DECIDED_NOT_MAILED = "Marked as not mailed. Its credits were released.";

export const RETRIES_ENDED =
  "It will not be sent again. Its credits come back once the provider's list shows no such piece.";
export const NO_RETRIES_TO_END =
  "Nothing was changed: its outcome is known, it is being sent right now, or it was ended before.";

export function formatGivenUp(name: string): string {
  return `${name} says: do not send again. The provider's list is checked for it.`;
}

export function formatDecision(name: string, mailed: boolean): string {
  return `${name} says it was ${mailed ? "" : "not "}mailed.`;
}

/* Duplicates */

/** "Ana Ruiz sent this postcard to this address 12 minutes ago (item 16818211)." */
export function formatDuplicate(
  mailType: string,
  { providerId, sentBy, ageSeconds }: { providerId: string | null; sentBy: string; ageSeconds: number },
): string {
  const item = providerId === null ? "" : ` (item ${providerId})`;
  return `${sentBy} sent this ${mailType} to this address ${formatAge(ageSeconds)}${item}.`;
}

function formatAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "just now";
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${formatCount(minutes, "minute")} ago`;
  return hours < 48 ? `${formatCount(hours, "hour")} ago` : `${Math.floor(hours / 24)} days ago`;
}

/* Status, cancel and PDF */

export const NO_PIECE = "There is no piece with this id.";
export const NO_KEY_TO_CANCEL =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was cancelled.";

export const NO_KEY_TO_REFRESH =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. No status was asked for.";
export const STATUS_UNREADABLE = "The provider's status cannot be read.";
export const NO_PIECE_PDF = "The provider gave no PDF of this piece that can be shown here.";
export const PIECE_PDF_EXPIRED = "The provider's link to this PDF has expired, and no copy was made in time.";

export function formatSimulated(status: string | null): string {
  return status === null
    ? "The local provider moved it on."
    : `The local provider moved it on: ${status.replaceAll("_", " ")}.`;
}

export function formatTooManyToRefresh(limit: number): string {
  return `Ask for ${limit} pieces at most at once.`;
}

export function formatRefreshInput(limit: number): string {
  return `Give ids, a list of 1 to ${limit} pieces. No status was asked for.`;
}

/** "11 pieces checked, 1 changed." and what else came of it; `left` were not checked. */
export function formatRefresh(
  items: readonly { changed: boolean; refunded: number; problem: string | null }[],
  left: number,
  retryAfterSeconds: number | null,
): string {
  const refunded = items.reduce((sum, item) => sum + item.refunded, 0);
  const problems = items.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  const sentences = [
    `${formatCount(items.length, "piece")} checked, ${items.filter(({ changed }) => changed).length} changed.`,
  ];
  if (refunded > 0) sentences.push(`The provider had cancelled mail: ${formatCredits(refunded)} refunded.`);
  if (problems[0]) sentences.push(`${problems.length} could not be checked: ${endSentence(problems[0])}`);
  if (left > 0) {
    sentences.push(
      retryAfterSeconds === null
        ? `${left} left: refresh again to go on.`
        : `${left} left, because the provider's rate limit is nearly used up: go on in ${retryAfterSeconds} s.`,
    );
  }
  return sentences.join(" ");
}

/* Evidence of alarms */

/** The credits were given back first. */
export const MAILED_AFTER_RELEASE =
  "The provider accepted this piece after its credits were released: it is mailed and was not charged.";
export function formatMailedAfterRefund(status: string): string {
  return `The provider says that this piece is ${status.replaceAll("_", " ")}, but it was cancelled and its credits were refunded. Check it in the provider's dashboard, then decide about the credits.`;
}
export const NOT_STORED =
  "The database answers with an error, so the outcome of this piece is not stored. Its credits stay held; recovery goes on trying.";
export const RECORD_LOST = "the database had lost its record, so nothing was held for it any more.";

/** @param outcome of the call: `accepted`, `refused`, ... */
export function formatLostRecord(mailType: MailType, outcome: string): string {
  return `The database lost the record of this ${mailType} while the provider was called (${outcome.replaceAll("_", " ")}). Mailroom re-created it. Check its charge and other data from the same failover.`;
}

export function formatKnownKey(mailType: MailType): string {
  return `The provider had this ${mailType} already when it was first sent, so the database lost the record of an earlier piece with the same key. It is mailed once. Check its charge and other data from the same failover.`;
}

function formatCount(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

export function endSentence(text: string): string {
  return text.replace(/\.?$/, ".");
}

export const NO_SERVER_KEY = `No server key configured: STANNP_API_KEY must be set in the server's environment. ${NOTHING_DONE}`;
export function formatMailedThoughTest(mailType: MailType): string {
  return `The provider mailed this ${mailType} although a test was asked for.`;
}
