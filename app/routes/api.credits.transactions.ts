import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseTransactionQuery } from "~/credits/history/transactions.schema.server";
import { listTransactions } from "~/credits/history/transactions.server";
import { toWireTransaction } from "~/credits/ledger/transaction";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** The ledger, newest first, 50 rows at a time; `next_cursor` leads to the older ones. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const query = parseTransactionQuery(new URL(request.url).searchParams);
  if (!query.ok) return replyFailure(query.failure);
  const page = await listTransactions(query.value);
  if (!page.ok) return replyFailure(page.failure);
  return replyJson({
    success: true,
    data: page.value.transactions.map(toWireTransaction),
    next_cursor: page.value.nextCursor,
  });
}
