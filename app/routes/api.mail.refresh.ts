import { parseRefresh, refreshStatus } from "~/pieces/events/refresh-status.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonBodyRoute } from "~/route-handlers.server";

/** Refreshes the status of `ids` at the provider; `left` lists those to send again later. */
export const action = jsonBodyRoute(async ({ viewer, body }) => {
  const refreshed = await refreshStatus(requireValue(parseRefresh(body)), viewer);
  const { items, left, retryAfterSeconds, message } = requireValue(refreshed);
  return replyJson({ success: true, items, left, retry_after_seconds: retryAfterSeconds, message });
});
