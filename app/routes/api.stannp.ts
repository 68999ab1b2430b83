import type { ActionFunctionArgs } from "@remix-run/node";
import { requireKeyedJson } from "~/people/check-request.server";
import { replyJsonText, requireValue } from "~/platform/http/replies.server";
import { answerRequest } from "~/proxy/answer-request.server";

/** The proxy. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, body } = await requireKeyedJson({ request, context });
  const answered = requireValue(await answerRequest(body, viewer, request.signal));
  return replyJsonText(answered.json, answered.httpStatus);
}
