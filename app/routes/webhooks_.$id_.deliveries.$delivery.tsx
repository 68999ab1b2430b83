import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { loadDelivery } from "~/webhooks/load-webhooks.server";
import { DeliveryPage } from "~/webhooks/page/delivery-page";
import { handleDeliveryPost } from "~/webhooks/webhooks-post.server";

export const meta = titlePage("Webhook delivery");

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const { id = "", delivery = "" } = params;
  return dataWithFlash(request, requireValue(await loadDelivery(id, delivery, viewer, new Date())));
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { viewer, form } = await requirePageForm({ request, context });
  const { id = "", delivery = "" } = params;
  const queued = await handleDeliveryPost(id, delivery, form, viewer);
  return redirectWithFlash(
    new URL(request.url).pathname,
    queued.ok ? { tone: "ok", message: queued.value } : { tone: "bad", message: queued.failure.message },
  );
}

export default function Delivery() {
  return <DeliveryPage {...useLoaderData<typeof loader>()} />;
}
