import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadList } from "~/bulk/list-record.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Returns the progress of a list's import, for the page that posts its file. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const list = requireValue(await loadList(params.id ?? ""));
  return replyJson({ percent: list.importPercent });
}
