import type { ActionFunctionArgs } from "@remix-run/node";
import { parseCheckoutOrder } from "~/credits/purchases/checkout.schema.server";
import { createCheckout } from "~/credits/purchases/checkout.server";
import { requireViewer } from "~/people/viewer.server";
import { readJsonBody } from "~/platform/http/body.server";
import { isSameOrigin } from "~/platform/http/origin.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

const BODY_LIMIT_BYTES = 16 * 1024;

/** Opens a payment page (spec §7 `POST /api/stripe/create-checkout`). */
export async function action({ request }: ActionFunctionArgs): Promise<Response> {
  if (request.method !== "POST") return refuseMethod();
  if (!isSameOrigin(request)) {
    return replyFailure({
      code: "forbidden",
      message: "This request comes from another site. Nothing was charged.",
    });
  }
  const viewer = await requireViewer(request);
  const body = await readJsonBody(request, BODY_LIMIT_BYTES);
  if (!body.ok) return replyFailure(body.failure);
  const order = parseCheckoutOrder(body.value);
  if (!order.ok) return replyFailure(order.failure);
  const started = await createCheckout(order.value, viewer);
  return started.ok ? replyJson({ success: true, ...started.value }) : replyFailure(started.failure);
}

export function loader(): Response {
  return refuseMethod();
}

function refuseMethod(): Response {
  const error = "Call this address by POST. Nothing was charged.";
  return replyJson({ success: false, error }, 405, { Allow: "POST" });
}
