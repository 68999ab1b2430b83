import { streamCsv } from "~/platform/http/csv-stream.server";
import type { FileReader } from "~/platform/http/file-stream.server";
import type { Outcome } from "~/platform/outcome";
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
];

/**
 * The transactions of a filter as a CSV file. Fails as `listTransactions` does, before anything is written.
 */
export function streamTransactionsCsv(
  filter: TransactionFilter,
  reader: FileReader,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  return streamCsv(
    HEADER,
    loadAllTransactions(filter),
    (transaction) => [
      transaction.id,
      transaction.createdAt.toISOString(),
      transaction.userId,
      transaction.userName,
      transaction.type,
      transaction.amount,
      transaction.balanceAfter,
      transaction.description,
      transaction.actorName,
      transaction.reference,
    ],
    reader,
  );
}
