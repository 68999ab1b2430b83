import { createCheckout, parseCheckoutOrder } from "~/credits/purchases/checkout.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonBodyRoute } from "~/route-handlers.server";

export const action = jsonBodyRoute(async ({ viewer, body }) => {
  const order = requireValue(parseCheckoutOrder(body));
  return replyJson({ success: true, ...requireValue(await createCheckout(order, viewer)) });
});
