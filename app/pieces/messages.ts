import { formatCredits } from "~/credits/format-credits";
import { formatNoAnswer, type NoAnswer } from "~/outside/mail-provider/call/no-answer";
import { formatCount } from "~/platform/format-integer";
import { NOTHING_DONE } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import type { MailType } from "./mail-type";
import type { CreditState, PieceState } from "./states";
import { formatStatus } from "./status";

/** Sentences about a piece that several files share, or that alarms and the API word. */

/* Sending */

/** Finds what became of the credits of a piece. */
export function findCreditState(send: {
  state: PieceState;
  mailType: MailType;
  charged: number;
  note: string | null;
}): CreditState {
  switch (send.state) {
    case "accepted":
    case "cancelling":
      return { kind: "charged", charged: send.charged };
    case "cancelled":
      return { kind: "released", why: "it was cancelled and refunded." };
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

export function formatUnclearCall(
  { answer, result }: { answer: { status: number } | null; result: NoAnswer | null },
  timeoutMs: number,
): string {
  if (result) return formatNoAnswer(result, timeoutMs);
  return `The provider's answer (status ${answer?.status ?? "unknown"}) does not say whether it was done.`;
}

export function formatMailedByEvent(status: string, providerId: string): string {
  return `the provider reported that it is ${formatStatus(status)} (mail ID ${providerId}), so it was mailed.`;
}

/* Duplicates */

/** Formats "Ana Ruiz sent this postcard to this address 12 minutes ago (mail ID 16818211)." */
export function formatDuplicate(
  mailType: string,
  { providerId, sentBy, ageSeconds }: { providerId: string | null; sentBy: string; ageSeconds: number },
): string {
  const item = providerId === null ? "" : ` (mail ID ${providerId})`;
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

export const NO_PIECE = "There is no piece with this ID.";
export const NO_KEY_TO_CANCEL =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was cancelled.";

export const NO_PIECE_PDF = "The provider gave no PDF of this piece that can be shown here.";
export const PIECE_PDF_EXPIRED = "The provider's link to this PDF has expired, and no copy was made in time.";

export function formatSimulated(status: string | null): string {
  return status === null
    ? "The local provider moved it on."
    : `The local provider moved it on: ${formatStatus(status)}.`;
}

/** Formats "11 pieces checked, 1 changed." with refunds and problems; `left` were not checked. */
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

export const NO_SERVER_KEY = `No server key configured: STANNP_API_KEY must be set in the server's environment. ${NOTHING_DONE}`;

export function formatMailedThoughTest(mailType: MailType): string {
  return `The provider mailed this ${mailType} although a test was requested.`;
}

export const RETRIED_WITH_KEY = "Retried with the same key, so nothing was sent or charged twice.";

export const MAY_BE_ACCEPTED = "The provider may have accepted this. It will not be sent twice.";

export const CANCEL_AT_ONCE = "Cancel it at once if it must not be mailed.";
