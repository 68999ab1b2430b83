import type { ActionFunctionArgs } from "@remix-run/node";
import { parseCancelOrder } from "~/mail/mail.schema.server";
import { requireViewer } from "~/people/viewer.server";
import { cancelMail } from "~/pieces/cancel/cancel-mail.server";
import { toWireCancel } from "~/pieces/cancel/cancel-result";
import { readJsonBody } from "~/platform/http/body.server";
import { isSameOrigin } from "~/platform/http/origin.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/**
 * Cancels a mail item and refunds it (spec §7 `POST /api/mail/cancel`): 200 when it is cancelled, 202 with
 * `pending: true` while the provider has not said so.
 */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return refuseMethod();
  if (!isSameOrigin(request)) {
    const message = "This request comes from another site. Nothing was cancelled.";
    return replyFailure({ code: "forbidden", message });
  }
  const viewer = await requireViewer(request);
  const body = await readJsonBody(request);
  if (!body.ok) return replyFailure(body.failure);
  const order = parseCancelOrder(body.value);
  if (!order.ok) return replyFailure(order.failure);
  const cancelled = await cancelMail(order.value, viewer);
  if (!cancelled.ok) return replyFailure(cancelled.failure);
  return replyJson(toWireCancel(cancelled.value), cancelled.value.kind === "pending" ? 202 : 200);
}

export function loader(): Response {
  return refuseMethod();
}

function refuseMethod(): Response {
  const error = "Call this address by POST. Nothing was cancelled.";
  return replyJson({ success: false, error }, 405, { Allow: "POST" });
}
