import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { statusOf } from "~/platform/http/replies.server";
import { ReconciliationPage } from "~/reconciliation/reconciliation-page";
import { compareDays, showDays } from "~/reconciliation/reconciliation-view.server";

export const meta = titlePage("Reconciliation");

/** Shows the form, with the days in the address, without calling the provider. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return { view: await showDays(new URL(request.url).searchParams, new Date()) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { form } = await requirePageForm({ request, context });
  const { view, failure } = await compareDays(form, new Date());
  return data({ view }, { status: failure ? statusOf(failure) : 200 });
}

export default function ReconciliationRoute() {
  const loaded = useLoaderData<typeof loader>();
  const compared = useActionData<typeof action>();
  return <ReconciliationPage view={(compared ?? loaded).view} />;
}
