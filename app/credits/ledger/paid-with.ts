import { formatDate } from "~/ui/moment";
import { formatCredits } from "../format-credits";

/** Credits of one ledger row that one charge used. */
export interface PaidPart {
  credits: number;
  /** The row that they first came with; refunds are traced back to it. */
  from: {
    ledgerId: number;
    type: "purchase" | "credit";
    /** All credits of that row. */
    credits: number;
    at: Date;
    /** Null unless it is a purchase. */
    checkoutId: string | null;
  };
  /** When they were last refunded for a cancelled piece; null when they were not spent before. */
  refundedAt: Date | null;
}

/** Cuts `take` credits after the first `skip` out of parts, in order. */
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

/** Address of the source of these credits. */
export function paidPartAddress({ from }: PaidPart): string {
  return from.checkoutId === null ? ledgerAddress(from.ledgerId) : purchaseAddress(from.checkoutId);
}

/** Address of the page of a purchase. */
export function purchaseAddress(checkoutId: string): string {
  return `/purchases/${encodeURIComponent(checkoutId)}`;
}

/** Address of a ledger row in the history. */
export function ledgerAddress(ledgerId: number): string {
  return `/users?view=history&cursor=${ledgerId + 1}#entry-${ledgerId}`;
}
