import { useLoaderData } from "@remix-run/react";
import { dataWithFlash, redirectWithFlash, toFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";
import { loadDelivery } from "~/webhooks/load-webhooks.server";
import { DeliveryPage } from "~/webhooks/page/delivery-page";
import { handleDeliveryPost } from "~/webhooks/webhooks-post.server";

export const meta = titlePage("Webhook delivery");

export const loader = pageLoader(async ({ request, id, params, viewer, now }) =>
  dataWithFlash(request, requireValue(await loadDelivery(id, params.delivery ?? "", viewer, now))),
);

export const action = pageAction(async ({ request, id, params, form, viewer }) => {
  const queued = await handleDeliveryPost(id, params.delivery ?? "", form, viewer);
  return redirectWithFlash(new URL(request.url).pathname, toFlash(queued));
});

export default function Delivery() {
  return <DeliveryPage {...useLoaderData<typeof loader>()} />;
}
