import { countCredits } from "~/sending/credit-outcome";
import type { StoryLedgerRow } from "./timeline";

/** What each of the records says of one send. */
export interface Records {
  state: string;
  /** Credits. */
  cost: number;
  charged: number;
  rows: Pick<StoryLedgerRow, "transactionType" | "amount">[];
  /** The mail item, where there is one. */
  item: { status: string; isCancelled: boolean } | null;
  /** The stored response, where it was not deleted. */
  stored: { isCancelled: boolean } | null;
}

/**
 * What the ledger, the mail item and the stored response say against the send, a sentence each; none when all agree.
 * Null while the send is not settled.
 */
export function findDisagreements({ state, charged, rows, item, stored }: Records): string[] | null {
  const sum = (type: string) =>
    rows.filter((row) => row.transactionType === type).reduce((total, row) => total + row.amount, 0);
  const debited = sum("debit");
  const refunded = sum("refund");
  const faults: string[] = [];
  if (state === "refused") {
    if (debited > 0)
      faults.push(`Nothing was mailed, but the ledger has a charge of ${countCredits(debited)}.`);
    if (item) faults.push("Nothing was mailed, but there is a mail item.");
    return faults;
  }
  if (state !== "accepted" && state !== "cancelled") return null;
  if (debited !== charged) {
    faults.push(`${countCredits(charged)} charged by the send, but ${debited} by the ledger.`);
  }
  const owed = state === "cancelled" ? charged : 0;
  if (refunded !== owed) faults.push(`${countCredits(owed)} to be refunded, but the ledger has ${refunded}.`);
  if (!item) faults.push("There is no mail item of this send.");
  const cancelled = state === "cancelled";
  if (item && item.isCancelled !== cancelled) {
    faults.push(`The send is ${state}, but the mail item is ${item.isCancelled ? "cancelled" : "not"}.`);
  }
  if (stored && stored.isCancelled !== cancelled) {
    faults.push(
      `The send is ${state}, but its stored response is ${stored.isCancelled ? "" : "not "}flagged.`,
    );
  }
  return faults;
}
