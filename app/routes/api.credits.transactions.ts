import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseTransactionQuery } from "~/credits/history/transactions.schema.server";
import { listTransactions } from "~/credits/history/transactions.server";
import { toWireTransaction } from "~/credits/ledger/transaction";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const query = requireValue(parseTransactionQuery(new URL(request.url).searchParams));
  const page = requireValue(await listTransactions(query));
  return replyJson({
    success: true,
    data: page.transactions.map(toWireTransaction),
    next_cursor: page.nextCursor,
  });
}
