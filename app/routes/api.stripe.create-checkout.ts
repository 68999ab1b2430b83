import type { ActionFunctionArgs } from "@remix-run/node";
import { parseCheckoutOrder } from "~/credits/purchases/checkout.schema.server";
import { createCheckout } from "~/credits/purchases/checkout.server";
import { requireJson } from "~/people/check-request.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** Opens a payment page. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const order = parseCheckoutOrder(body);
  if (!order.ok) return replyFailure(order.failure);
  const started = await createCheckout(order.value, viewer);
  return started.ok ? replyJson({ success: true, ...started.value }) : replyFailure(started.failure);
}
