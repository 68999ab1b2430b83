import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseTransactionQuery } from "~/credits/history/transactions.schema.server";
import { streamTransactionsCsv } from "~/credits/history/transactions.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile, requireValue } from "~/platform/http/replies.server";

/** Downloads all rows of the history's filter. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const query = requireValue(parseTransactionQuery(new URL(request.url).searchParams));
  const file = await streamTransactionsCsv(query.filter);
  return replyFile(file, "text/csv", "credit-transactions.csv");
}
