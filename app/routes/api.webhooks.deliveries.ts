import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";
import { listWireDeliveries } from "~/webhooks/webhooks-api.server";

export const loader = jsonRoute(async ({ query }) =>
  replyJson({ success: true, ...requireValue(await listWireDeliveries(query)) }),
);
