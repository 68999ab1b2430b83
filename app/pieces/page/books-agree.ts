import { DISAGREEMENTS } from "./messages";
import type { LedgerRow } from "./timeline";

/** The records of one piece. */
export interface Records {
  state: string;
  /** Credits. */
  cost: number;
  charged: number;
  rows: Pick<LedgerRow, "transactionType" | "amount">[];
  /** The mail item, where there is one. */
  item: { status: string; isCancelled: boolean } | null;
}

/**
 * Compares the ledger and the mail item with the piece: one sentence per difference, none when they agree. Null while the
 * piece is not settled.
 */
export function findDisagreements({ state, charged, rows, item }: Records): string[] | null {
  const sum = (type: string) =>
    rows.filter((row) => row.transactionType === type).reduce((total, row) => total + row.amount, 0);
  const debited = sum("debit");
  const refunded = sum("refund");
  const faults: string[] = [];
  if (state === "refused") {
    if (debited > 0) faults.push(DISAGREEMENTS.chargedNotMailed(debited));
    if (item) faults.push(DISAGREEMENTS.itemNotMailed);
    return faults;
  }
  if (state !== "accepted" && state !== "cancelled") return null;
  const cancelled = state === "cancelled";
  const owed = cancelled ? charged : 0;
  if (debited !== charged) faults.push(DISAGREEMENTS.charge(charged, debited));
  if (refunded !== owed) faults.push(DISAGREEMENTS.refund(owed, refunded));
  if (!item) faults.push(DISAGREEMENTS.noItem);
  if (item && item.isCancelled !== cancelled) faults.push(DISAGREEMENTS.item(state, item.isCancelled));
  return faults;
}
