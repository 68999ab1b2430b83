import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { loadStats } from "~/responses/stats/stats.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  return replyJson({ success: true, data: requireValue(await loadStats()) });
}
