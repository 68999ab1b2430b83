import type { ActionFunctionArgs } from "@remix-run/node";
import { createCheckout, parseCheckoutOrder } from "~/credits/purchases/checkout.server";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const order = requireValue(parseCheckoutOrder(body));
  return replyJson({ success: true, ...requireValue(await createCheckout(order, viewer)) });
}
