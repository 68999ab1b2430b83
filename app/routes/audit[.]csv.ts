import type { LoaderFunctionArgs } from "@remix-run/node";
import { streamAudit } from "~/audit/audit-view.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile } from "~/platform/http/replies.server";

/** Downloads all rows of the log's filter. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const file = await streamAudit(new URL(request.url).searchParams);
  return replyFile(file, "text/csv", "audit-log.csv");
}
