import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseTransactionQuery } from "~/credits/history/transactions.schema.server";
import { streamTransactionsCsv } from "~/credits/history/transactions-csv.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyFile } from "~/platform/http/replies.server";

/** The history's filter as a file: all its rows, not one page. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const query = parseTransactionQuery(new URL(request.url).searchParams);
  if (!query.ok) return replyFailure(query.failure);
  const file = await streamTransactionsCsv(query.value.filter);
  return replyFile(file, "text/csv", "credit-transactions.csv");
}
