import { formatPaidPart, paidPartAddress } from "~/credits/ledger/paid-with";
import { findPaidWith } from "~/credits/ledger/paid-with.server";
import type { Db } from "~/platform/database/client";

/** Credits that paid for a piece, and the address of what they came from: a purchase's page, or a row of the ledger. */
interface StoryPurchase {
  /** "1 credit of the purchase of 14 Nov 2026" */
  text: string;
  to: string;
}

/** Which purchases or adjustments paid for a piece; none while it is not charged. */
export async function listPurchasesOf(db: Db, sendId: string): Promise<StoryPurchase[]> {
  const parts = await findPaidWith(db, sendId);
  return parts.map((part) => ({ text: formatPaidPart(part), to: paidPartAddress(part) }));
}
