import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamAudit } from "~/audit/audit-view.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile } from "~/platform/http/replies.server";

/** The log's filter as a file: all its rows, not one page. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const file = await streamAudit(new URL(request.url).searchParams);
  return replyFile(file, "text/csv", "audit-log.csv");
}
