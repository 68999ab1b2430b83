import { env } from "~/platform/env.server";
import { streamCsv } from "~/platform/http/csv-stream.server";
import type { Outcome } from "~/platform/outcome";
import { type CreditTransaction, signedAmount } from "../ledger/transaction";
import { writeMoney } from "../purchases/format-money";
import type { TransactionFilter } from "./transactions.schema.server";
import { loadAllTransactions } from "./transactions.server";

const HEADER = [
  "id",
  "created_at",
  "user_id",
  "user",
  "transaction_type",
  "amount",
  "balance_after",
  "description",
  "actor",
  "reference_response_id",
  "money",
  "currency",
  "provider_cost",
  "provider_currency",
  "purchase_id",
  "stripe_session_id",
  "stripe_payment_id",
  "invoice_number",
];

/**
 * Streams the transactions of a filter as CSV. Amounts are signed, so that those of a user add up to the balance; money is in units of its
 * currency. Fails as `listTransactions` does, before anything is written.
 */
export function streamTransactionsCsv(
  filter: TransactionFilter,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(HEADER, loadAllTransactions(filter), (transaction) => [
    transaction.id,
    transaction.createdAt,
    transaction.userId,
    transaction.userName,
    transaction.type,
    signedAmount(transaction),
    transaction.balanceAfter,
    transaction.description,
    transaction.actorName,
    transaction.reference,
    ...writePayment(transaction),
  ]);
}

/** Columns of the payment to us and of the provider's price. */
function writePayment({ payment, providerCost }: CreditTransaction): (string | number | null)[] {
  return [
    payment && Number(writeMoney(payment.amountCents, payment.currency)),
    payment?.currency.toUpperCase() ?? null,
    providerCost === null ? null : Number(providerCost),
    providerCost === null ? null : (env().providerCurrency?.toUpperCase() ?? null),
    payment?.checkoutId ?? null,
    payment?.stripeSessionId ?? null,
    payment?.stripePaymentId ?? null,
    payment?.invoiceNumber ?? null,
  ];
}
