import type { ActionFunctionArgs } from "@remix-run/node";
import { parseDeletion } from "~/mail/mail.schema.server";
import { requireViewer } from "~/people/viewer.server";
import { readJsonBody } from "~/platform/http/body.server";
import { isSameOrigin } from "~/platform/http/origin.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";
import { deleteMailRecipient } from "~/recipients/delete-recipient.server";

/** Deletes a recipient at the provider and here (spec §7 `POST /api/mail/recipients/delete`). */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return refuseMethod();
  if (!isSameOrigin(request)) {
    const message = "This request comes from another site. Nothing was deleted.";
    return replyFailure({ code: "forbidden", message });
  }
  const viewer = await requireViewer(request);
  const body = await readJsonBody(request);
  if (!body.ok) return replyFailure(body.failure);
  const order = parseDeletion(body.value);
  if (!order.ok) return replyFailure(order.failure);
  const deleted = await deleteMailRecipient(order.value, viewer);
  return deleted.ok ? replyJson({ success: true, ...deleted.value }) : replyFailure(deleted.failure);
}

export function loader(): Response {
  return refuseMethod();
}

function refuseMethod(): Response {
  const error = "Call this address by POST. Nothing was deleted.";
  return replyJson({ success: false, error }, 405, { Allow: "POST" });
}
