import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";
import { loadStats } from "~/responses/stats/stats.server";

/** Totals over everything stored. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const stats = await loadStats();
  return stats.ok ? replyJson({ success: true, data: stats.value }) : replyFailure(stats.failure);
}
