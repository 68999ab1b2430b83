import { Readable } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { writeCsvLine } from "~/platform/csv";
import { type Outcome, succeed } from "~/platform/outcome";
import type { CreditTransaction } from "./transaction";
import type { TransactionFilter } from "./transactions.schema.server";
import { readAllTransactions } from "./transactions.server";

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
/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The transactions of a filter as a CSV file that is written while it is read, one batch in memory at a time. When
 * the database goes away under way the stream breaks, so that half a file is not taken for a whole one.
 * Fails as `listTransactions` does, before anything is written.
 */
export async function streamTransactionsCsv(
  filter: TransactionFilter,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const batches = readAllTransactions(filter);
  const first = await batches.next();
  if (first.value && !first.value.ok) return first.value;
  const lines = writeFile(first.value?.value ?? [], batches);
  return succeed(createReadableStreamFromReadable(Readable.from(lines)));
}

async function* writeFile(
  first: CreditTransaction[],
  rest: AsyncGenerator<Outcome<CreditTransaction[]>>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + writeCsvLine(HEADER) + writeLines(first);
  for await (const batch of rest) {
    if (!batch.ok) throw new Error(batch.failure.message);
    yield writeLines(batch.value);
  }
}

function writeLines(transactions: readonly CreditTransaction[]): string {
  return transactions.map(writeLine).join("");
}

function writeLine(transaction: CreditTransaction): string {
  return writeCsvLine([
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
  ]);
}
