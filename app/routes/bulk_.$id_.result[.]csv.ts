import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadList } from "~/bulk/list-record.server";
import { streamResult } from "~/bulk/page/result-csv.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile, requireValue } from "~/platform/http/replies.server";

/** Downloads the outcome of each row of a list. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const list = requireValue(await loadList(params.id ?? ""));
  return replyFile(await streamResult(list), "text/csv", "list-result.csv");
}
