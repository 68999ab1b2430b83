import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { dataWithFlash, redirectWithFlash, toFlash } from "~/platform/http/flash.server";
import { statusOf } from "~/platform/http/replies.server";
import { ReconciliationPage } from "~/reconciliation/reconciliation-page";
import { compareDays, loadEmptyView } from "~/reconciliation/reconciliation-view.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Reconciliation");

/** Shows the form, with the days in the address, without calling the provider. */
export const loader = pageLoader(async ({ request, query, now }) =>
  dataWithFlash(request, { view: await loadEmptyView(query, now) }),
);

/** Compares the days of the form; `intent=refresh` asks the provider for the statuses of the pieces in `item`. */
export const action = pageAction(async ({ form, viewer, now }) => {
  if (form.get("intent") === "refresh") {
    const refreshed = await refreshStatus(form.getAll("item").map(String), viewer);
    return redirectWithFlash("/mail/reconciliation", toFlash(refreshed));
  }
  const { view, failure } = await compareDays(form, now);
  return data({ view }, { status: failure ? statusOf(failure) : 200 });
});

export default function ReconciliationRoute() {
  const loaded = useLoaderData<typeof loader>();
  const compared = useActionData<typeof action>();
  return <ReconciliationPage view={(compared ?? loaded).view} flash={loaded.flash} />;
}
