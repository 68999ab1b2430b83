import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseTransactionQuery } from "~/credits/transactions.schema.server";
import { streamTransactionsCsv } from "~/credits/transactions-csv.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure } from "~/platform/replies.server";

/** The history's filter as a file: all its rows, not one page. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const query = parseTransactionQuery(new URL(request.url).searchParams);
  if (!query.ok) return replyFailure(query.failure);
  const file = await streamTransactionsCsv(query.value.filter);
  if (!file.ok) return replyFailure(file.failure);
  return new Response(file.value, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="credit-transactions.csv"`,
      "Cache-Control": "no-store",
    },
  });
}
