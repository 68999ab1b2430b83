import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { parseRefresh, refreshStatus } from "~/pieces/events/refresh-status.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** Asks the provider where mail items stand: `ids` of ours; `left` names those to be asked later. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const ids = parseRefresh(body);
  if (!ids.ok) return replyFailure(ids.failure);
  const refreshed = await refreshStatus(ids.value, viewer);
  if (!refreshed.ok) return replyFailure(refreshed.failure);
  const { items, left, retryAfterSeconds, message } = refreshed.value;
  return replyJson({ success: true, items, left, retry_after_seconds: retryAfterSeconds, message });
}
