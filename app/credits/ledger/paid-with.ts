import { formatDate } from "~/ui/moment";
import { formatCredits } from "../format-credits";

/** Credits that came with one ledger row, as far as one charge used them. */
export interface PaidPart {
  credits: number;
  /** The row that they came with, first of all: what was refunded is traced back to it. */
  from: {
    ledgerId: number;
    type: "purchase" | "credit";
    /** All that came with it. */
    credits: number;
    at: Date;
    /** Of a purchase. */
    checkoutId: string | null;
  };
  /** When they were last given back for a cancelled piece; null: they were never spent before. */
  refundedAt: Date | null;
}

/** The `take` credits of some parts, in their order, after the first `skip`. */
export function cutParts(parts: readonly PaidPart[], skip: number, take: number): PaidPart[] {
  let before = 0;
  return parts.flatMap((part) => {
    const start = Math.max(before, skip);
    before += part.credits;
    const credits = Math.min(before, skip + take) - start;
    return credits > 0 ? [{ ...part, credits }] : [];
  });
}

/** "1 credit of the purchase of 14 Nov 2026" */
export function formatPaidPart({ credits, from, refundedAt }: PaidPart): string {
  const day = formatDate(from.at);
  const source =
    from.type === "purchase"
      ? `the purchase of ${day}`
      : `${from.credits.toLocaleString("en")} added by hand on ${day}`;
  const again = refundedAt ? ` (refunded on ${formatDate(refundedAt)} and spent again)` : "";
  return `${formatCredits(credits)} of ${source}${again}`;
}

/** Address of the page of what these credits came from. */
export function paidPartAddress({ from }: PaidPart): string {
  return from.checkoutId === null ? ledgerAddress(from.ledgerId) : purchaseAddress(from.checkoutId);
}

/** Address of the page of a purchase. */
export function purchaseAddress(checkoutId: string): string {
  return `/purchases/${encodeURIComponent(checkoutId)}`;
}

/** Address of one row of the ledger: the history from there on. */
export function ledgerAddress(ledgerId: number): string {
  return `/users?view=history&cursor=${ledgerId + 1}#entry-${ledgerId}`;
}
