import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamSpendingCsv } from "~/credits/spending/spending-view.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile } from "~/platform/http/replies.server";

/** Downloads the months of the Spending view. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request);
  const { searchParams } = new URL(request.url);
  const file = await streamSpendingCsv(searchParams, viewer);
  return replyFile(file, "text/csv", "spending.csv");
}
