import { formatCredits, formatHeldPart } from "~/credits/format-credits";

/** Sentences of the Mail Management tab. Sentences about a piece itself are in `pieces/messages.ts`. */

export const LOG_IN_FOR_MAIL = "to see mail and recipients.";
export const WITHOUT_DATABASE =
  "Pieces and recipients are not stored until then; everything else keeps working.";
export const NO_RECIPIENTS = "No recipients yet. Recipients that this user creates or mails appear here.";
export const NO_RECIPIENTS_FOUND = "No recipients match this search.";

export const STATUS_ALL = "All";
/** In place of what can be done with chosen pieces. */
export const CHOOSE_HINT = "Choose pieces to refresh, cancel or export them.";
export const REFRESH_ALL_HINT = "Asks the provider for the status of every piece on this page.";
export const REFRESH_UNREADABLE =
  "Failed to refresh the status: the server's answer is unreadable. Check the list before you try again.";
export const REFRESH_CHOSEN_HINT = "Asks the provider for the status of the chosen pieces only.";
export const NONE_CHOSEN = "Choose at least one piece by its check box. Nothing was changed.";
/** Why a piece that is not settled cannot be cancelled. */
export const STILL_OPEN = "It is not known yet whether this was mailed, so it cannot be cancelled.";
export const NOTHING_TO_CANCEL =
  "None of these can be cancelled: they are tests, cancelled already, or not known to be mailed.";

/** A status as people read it. */
export function formatStatus(status: string): string {
  return status.replaceAll("_", " ");
}

/** "Portland 97205 · of Ana Ruiz", as far as a row says it. */
export function formatPlaceAndUser({ place, user }: { place: string | null; user: string | null }): string {
  return [place, user && `of ${user}`].filter(Boolean).join(" · ");
}

/** The cost of a piece whose outcome is not known yet. */
export function formatHeldCredits(cost: number): string {
  return `${cost} held`;
}

/** Where a list is empty. */
export function formatNoPieces(names: "letters" | "postcards" | "pieces", filtered: boolean): string {
  return filtered
    ? `No ${names} match these filters.`
    : `No ${names} yet. Those this user sends appear here with their status.`;
}

/** Above what a cancel would do; `piece` is the only one. */
export function formatCancelTitle(
  count: number,
  piece: { type: string; addressee: string | null } | null,
): string {
  if (piece === null) return `Cancel ${formatPieces(count)}?`;
  return `Cancel this ${piece.type}${piece.addressee ? ` to ${piece.addressee}` : ""}?`;
}

/** Formats the effect of cancelling several pieces. */
export function formatCancelSeveral({
  accounts,
  late,
  impossible,
}: {
  /** Of each payer: what comes back, and the balance then. */
  accounts: { refund: number; balance: number; held: number }[];
  /** In production already. */
  late: number;
  /** Of those that were chosen. */
  impossible: number;
}): string {
  const back = accounts.map(
    ({ refund, balance, held }) =>
      `${formatCredits(refund)} back, balance ${balance.toLocaleString("en")}${formatHeldPart(held)}.`,
  );
  return [
    ...(late > 0
      ? [`${formatPieces(late)} may be too late: production has begun.`, "If all of them work:", ...back]
      : back),
    impossible > 0 ? `${formatPieces(impossible)} cannot be cancelled and will be left as they are.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The outcome of several cancels. */
export interface CancelSummary {
  cancelled: number;
  /** Credits. */
  refunded: number;
  /** Of the last payer; null where nothing was refunded. */
  balance: number | null;
  pending: number;
  /** Why, for each that was not cancelled. */
  failures: string[];
  /** Not tried, because time was over. */
  left: number;
}

export function formatCancelledSeveral(summary: CancelSummary): string {
  const { cancelled, refunded, balance, pending, failures, left } = summary;
  const credits =
    balance === null ? "" : ` - ${refunded} credits refunded (New balance: ${balance.toLocaleString("en")})`;
  return [
    `${formatPieces(cancelled)} cancelled${credits}.`,
    pending > 0 ? `${formatPieces(pending)} still being checked; a refund follows if cancelled.` : "",
    failures.length > 0
      ? `${formatPieces(failures.length)} not cancelled: ${[...new Set(failures)].join(" ")}`
      : "",
    left > 0 ? `${formatPieces(left)} not tried yet: choose them again.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function formatPieces(count: number): string {
  return count === 1 ? "1 piece" : `${count} pieces`;
}

export function formatDeleteTitle(name: string): string {
  return `Delete ${name}?`;
}

/** Before a recipient is deleted. */
export function formatDeleteQuestion(name: string): string {
  return `${name} will be deleted at the provider and here. Mail already sent stays.`;
}

export const PIECES_TO_RECIPIENT = "Letters and postcards to this recipient";
export const NO_SUCH_RECIPIENT = "This recipient is not in Mailroom any more.";
