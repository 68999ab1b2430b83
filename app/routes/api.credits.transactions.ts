import { parseTransactionQuery } from "~/credits/history/transactions.schema.server";
import { listTransactions } from "~/credits/history/transactions.server";
import { toWireTransaction } from "~/credits/ledger/transaction";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";

export const loader = jsonRoute(async ({ query }) => {
  const page = requireValue(await listTransactions(requireValue(parseTransactionQuery(query))));
  const data = page.transactions.map(toWireTransaction);
  return replyJson({ success: true, data, next_cursor: page.nextCursor });
});
