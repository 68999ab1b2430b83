import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { dataWithFlash } from "~/platform/http/flash.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";
import { loadEndpoints } from "~/webhooks/load-webhooks.server";
import { WebhooksPage } from "~/webhooks/page/webhooks-page";
import { handleNewEndpoint } from "~/webhooks/webhooks-post.server";

export const meta = titlePage("Webhooks");

export const loader = pageLoader(async ({ request, viewer, now }) => {
  const view = await loadEndpoints(viewer, now);
  if (view.ok) return dataWithFlash(request, { view: view.value, problem: null });
  const { code, message } = view.failure;
  const problem = code === "not_configured" ? "Webhooks need a database." : message;
  return dataWithFlash(request, { view: null, problem });
});

export const action = pageAction(async ({ form, viewer }) => {
  const done = await handleNewEndpoint(form, viewer);
  // Only this answer shows the secret, so it does not redirect.
  return data(done, done.draft ? 400 : 200);
});

export default function Webhooks() {
  return <WebhooksPage {...useLoaderData<typeof loader>()} posted={useActionData<typeof action>()} />;
}
