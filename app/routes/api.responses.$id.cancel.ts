import type { ActionFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { toWireCancel } from "~/pieces/cancel/cancel-settle.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { cancelResponse } from "~/responses/cancel-response.server";

/** Cancels the piece of a stored response. Answers as `/api/mail/cancel` does. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const cancelled = requireValue(await cancelResponse(params.id ?? "", viewer));
  return replyJson(toWireCancel(cancelled), cancelled.kind === "pending" ? 202 : 200);
}
