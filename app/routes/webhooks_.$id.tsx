import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { loadEndpointPage } from "~/webhooks/load-webhooks.server";
import { EndpointPage } from "~/webhooks/page/endpoint-page";
import { handleEndpointPost } from "~/webhooks/webhooks-post.server";

export const meta = titlePage("Webhook endpoint");

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const { searchParams } = new URL(request.url);
  const view = requireValue(await loadEndpointPage(params.id ?? "", searchParams, viewer, new Date()));
  return dataWithFlash(request, { view, confirming: searchParams.get("ask") });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { viewer, form } = await requirePageForm({ request, context });
  const done = await handleEndpointPost(params.id ?? "", form, viewer);
  if ("flash" in done) return redirectWithFlash(done.to, done.flash);
  // Only this answer shows the secret, so it does not redirect.
  return data(done, done.draft ? 400 : 200);
}

export default function Endpoint() {
  return <EndpointPage {...useLoaderData<typeof loader>()} posted={useActionData<typeof action>()} />;
}
