import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { parseRefresh, refreshStatus } from "~/pieces/events/refresh-status.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Refreshes the status of `ids` at the provider; `left` lists those to send again later. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const ids = requireValue(parseRefresh(body));
  const { items, left, retryAfterSeconds, message } = requireValue(await refreshStatus(ids, viewer));
  return replyJson({ success: true, items, left, retry_after_seconds: retryAfterSeconds, message });
}
