import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { statusOf } from "~/platform/http/replies.server";
import { ReconciliationPage } from "~/reconciliation/reconciliation-page";
import { compareDays, loadEmptyView } from "~/reconciliation/reconciliation-view.server";

export const meta = titlePage("Reconciliation");

/** Shows the form, with the days in the address, without calling the provider. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return dataWithFlash(request, { view: await loadEmptyView(new URL(request.url).searchParams, new Date()) });
}

/** Compares the days of the form; `intent=refresh` asks the provider for the statuses of the pieces in `item`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { form, viewer } = await requirePageForm({ request, context });
  if (form.get("intent") === "refresh") {
    const refreshed = await refreshStatus(form.getAll("item").map(String), viewer);
    const message = refreshed.ok ? refreshed.value.message : refreshed.failure.message;
    return redirectWithFlash("/mail/reconciliation", { tone: refreshed.ok ? "ok" : "bad", message });
  }
  const { view, failure } = await compareDays(form, new Date());
  return data({ view }, { status: failure ? statusOf(failure) : 200 });
}

export default function ReconciliationRoute() {
  const loaded = useLoaderData<typeof loader>();
  const compared = useActionData<typeof action>();
  return <ReconciliationPage view={(compared ?? loaded).view} flash={loaded.flash} />;
}
