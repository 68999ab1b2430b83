import type { ActionFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { readJsonBody } from "~/platform/http/body.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { isSameOrigin } from "~/platform/http/origin.server";
import { replyFailure, replyJson, replyJsonText } from "~/platform/http/replies.server";
import { fail } from "~/platform/outcome";
import { sendRequest } from "~/sending/send-request.server";

/** The proxy (spec §7 `POST /api/stannp`, design §5). */
export async function action({ request }: ActionFunctionArgs) {
  if (request.method !== "POST") return refuseMethod();
  if (!isSameOrigin(request)) {
    return replyFailure(fail("forbidden", `This request comes from another site. ${NOTHING_DONE}`).failure);
  }
  const viewer = await requireViewer(request);
  const body = await readJsonBody(request);
  if (!body.ok) return replyFailure(body.failure);
  const sent = await sendRequest(body.value, viewer, request.signal);
  return sent.ok ? replyJsonText(sent.value.jsonText, sent.value.httpStatus) : replyFailure(sent.failure);
}

export function loader() {
  return refuseMethod();
}

function refuseMethod() {
  return replyJson({ success: false, error: `Call this address by POST. ${NOTHING_DONE}` }, 405, {
    Allow: "POST",
  });
}
