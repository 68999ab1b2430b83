import { formatMoment } from "~/ui/moment";
import type { TransactionRow } from "../credits-view";
import { purchaseAddress } from "../ledger/paid-with";
import { type CreditTransaction, formatChange } from "../ledger/transaction";

/** A transaction as pages show it. */
export function toTransactionRow(transaction: CreditTransaction, now: Date): TransactionRow {
  return {
    id: transaction.id,
    userId: transaction.userId,
    user: transaction.userName,
    type: transaction.type,
    change: formatChange(transaction),
    balanceAfter: transaction.balanceAfter,
    description: transaction.description,
    actor: transaction.actorName,
    reference: transaction.reference,
    purchaseTo: transaction.payment && purchaseAddress(transaction.payment.checkoutId),
    at: formatMoment(transaction.createdAt, now),
  };
}
