import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";
import { loadEndpointPage } from "~/webhooks/load-webhooks.server";
import { EndpointPage } from "~/webhooks/page/endpoint-page";
import { handleEndpointPost } from "~/webhooks/webhooks-post.server";

export const meta = titlePage("Webhook endpoint");

export const loader = pageLoader(async ({ request, id, query, viewer, now }) => {
  const view = requireValue(await loadEndpointPage(id, query, viewer, now));
  return dataWithFlash(request, { view, confirming: query.get("ask") });
});

export const action = pageAction(async ({ id, form, viewer }) => {
  const done = await handleEndpointPost(id, form, viewer);
  if ("flash" in done) return redirectWithFlash(done.to, done.flash);
  // Only this answer shows the secret, so it does not redirect.
  return data(done, done.draft ? 400 : 200);
});

export default function Endpoint() {
  return <EndpointPage {...useLoaderData<typeof loader>()} posted={useActionData<typeof action>()} />;
}
