import type { ActionFunctionArgs } from "@remix-run/node";
import { requireKeyedJson } from "~/people/check-request.server";
import { replyFailure, replyJsonText } from "~/platform/http/replies.server";
import { sendRequest } from "~/sending/send-request.server";

/** The proxy. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, body } = await requireKeyedJson({ request, context });
  const sent = await sendRequest(body, viewer, request.signal);
  return sent.ok ? replyJsonText(sent.value.jsonText, sent.value.httpStatus) : replyFailure(sent.failure);
}
