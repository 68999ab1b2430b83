import type { ActionFunctionArgs } from "@remix-run/node";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { replayEvents } from "~/webhooks/webhooks-api.server";

/** Sends every event since a time to an endpoint again. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const queued = requireValue(await replayEvents(params.id ?? "", body, viewer));
  return replyJson({ success: true, data: { queued } });
}
