import { formatCredits, formatHeldPart } from "~/credits/format-credits";

export const NONE_CHOSEN = "Choose at least one piece by its check box. Nothing was changed.";

/** "Portland 97205 · of Ana Ruiz", as far as a row says it. */
export function formatPlaceAndUser({ place, user }: { place: string | null; user: string | null }): string {
  return [place, user && `of ${user}`].filter(Boolean).join(" · ");
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
    balance === null
      ? ""
      : ` - ${formatCredits(refunded)} refunded (New balance: ${balance.toLocaleString("en")})`;
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
