import { env } from "~/platform/env.server";
import { streamColumns } from "~/platform/http/csv-stream.server";
import type { Outcome } from "~/platform/outcome";
import { type CreditTransaction, signedAmount } from "../ledger/transaction";
import { writeMoney } from "../purchases/format-money";
import type { TransactionFilter } from "./transactions.schema.server";
import { loadAllTransactions } from "./transactions.server";

const COLUMNS = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  user_id: ({ userId }) => userId,
  user: ({ userName }) => userName,
  transaction_type: ({ type }) => type,
  amount: signedAmount,
  balance_after: ({ balanceAfter }) => balanceAfter,
  description: ({ description }) => description,
  actor: ({ actorName }) => actorName,
  reference_response_id: ({ reference }) => reference,
  money: ({ payment }) => payment && Number(writeMoney(payment.amountCents, payment.currency)),
  currency: ({ payment }) => payment?.currency.toUpperCase() ?? null,
  provider_cost: ({ providerCost }) => (providerCost === null ? null : Number(providerCost)),
  provider_currency: ({ providerCost }) =>
    providerCost === null ? null : (env().providerCurrency?.toUpperCase() ?? null),
  purchase_id: ({ payment }) => payment?.checkoutId ?? null,
  stripe_session_id: ({ payment }) => payment?.stripeSessionId ?? null,
  stripe_payment_id: ({ payment }) => payment?.stripePaymentId ?? null,
  invoice_number: ({ payment }) => payment?.invoiceNumber ?? null,
} satisfies Record<string, (transaction: CreditTransaction) => string | number | Date | null>;

/**
 * Streams the transactions of a filter as CSV. Amounts are signed, so that those of a user add up to the balance; money is in units of its
 * currency. Fails as `listTransactions` does, before anything is written.
 */
export function streamTransactionsCsv(
  filter: TransactionFilter,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamColumns(COLUMNS, loadAllTransactions(filter));
}
