import { parseTransactionQuery } from "~/credits/history/transactions.schema.server";
import { streamTransactionsCsv } from "~/credits/history/transactions.server";
import { requireValue } from "~/platform/http/replies.server";
import { fileLoader } from "~/route-handlers.server";

/** Downloads all rows of the history's filter. */
export const loader = fileLoader("text/csv", "credit-transactions.csv", async ({ query }) =>
  streamTransactionsCsv(requireValue(parseTransactionQuery(query)).filter),
);
