import type { ActionFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { parseRefresh } from "~/pieces/events/refresh.schema.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { readJsonBody } from "~/platform/http/body.server";
import { isSameOrigin } from "~/platform/http/origin.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** Asks the provider where mail items stand: `ids` of ours; `left` names those to be asked later. */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return refuseMethod();
  if (!isSameOrigin(request)) {
    return replyFailure({
      code: "forbidden",
      message: "This request comes from another site. No status was asked for.",
    });
  }
  const viewer = await requireViewer(request);
  const body = await readJsonBody(request);
  if (!body.ok) return replyFailure(body.failure);
  const ids = parseRefresh(body.value);
  if (!ids.ok) return replyFailure(ids.failure);
  const refreshed = await refreshStatus(ids.value, viewer);
  if (!refreshed.ok) return replyFailure(refreshed.failure);
  const { items, left, retryAfterSeconds, message } = refreshed.value;
  return replyJson({ success: true, items, left, retry_after_seconds: retryAfterSeconds, message });
}

export function loader(): Response {
  return refuseMethod();
}

function refuseMethod(): Response {
  const error = "Call this address by POST. No status was asked for.";
  return replyJson({ success: false, error }, 405, { Allow: "POST" });
}
