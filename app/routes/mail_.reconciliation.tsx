import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { refreshStatus } from "~/pieces/events/refresh-status.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { statusOf } from "~/platform/http/replies.server";
import { ReconciliationPage } from "~/reconciliation/reconciliation-page";
import { compareDays, showDays } from "~/reconciliation/reconciliation-view.server";

export const meta: MetaFunction = () => [{ title: "Reconciliation · Mailroom" }];

/** Shows the form, for the days in the address if there are any. The provider is not asked. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return dataWithFlash(request, { view: await showDays(new URL(request.url).searchParams, new Date()) });
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
  const shown = useLoaderData<typeof loader>();
  const compared = useActionData<typeof action>();
  return <ReconciliationPage view={(compared ?? shown).view} flash={shown.flash} />;
}
