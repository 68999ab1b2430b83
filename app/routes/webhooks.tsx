import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash } from "~/platform/http/flash.server";
import { loadEndpoints } from "~/webhooks/load-webhooks.server";
import { WebhooksPage } from "~/webhooks/page/webhooks-page";
import { handleNewEndpoint } from "~/webhooks/webhooks-post.server";

export const meta = titlePage("Webhooks");

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const view = await loadEndpoints(viewer, new Date());
  const problem = view.ok
    ? null
    : view.failure.code === "not_configured"
      ? "Webhooks need a database."
      : view.failure.message;
  return dataWithFlash(request, { view: view.ok ? view.value : null, problem });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, form } = await requirePageForm({ request, context });
  const done = await handleNewEndpoint(form, viewer);
  // Only this answer shows the secret, so it does not redirect.
  return data(done, done.draft ? 400 : 200);
}

export default function Webhooks() {
  return <WebhooksPage {...useLoaderData<typeof loader>()} posted={useActionData<typeof action>()} />;
}
