import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requirePageViewer } from "~/people/viewer.server";
import { statusOf } from "~/platform/http/replies.server";
import { ReconciliationPage } from "~/reconciliation/reconciliation-page";
import { loadReconciliation } from "~/reconciliation/reconciliation-view.server";

export const meta: MetaFunction = () => [{ title: "Reconciliation · Mailroom" }];

/** Compares only where days are asked for: the page itself asks nobody. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const { searchParams } = new URL(request.url);
  const { view, failure } = await loadReconciliation(searchParams, new Date());
  return data({ view }, { status: failure ? statusOf(failure) : 200 });
}

export default function ReconciliationRoute() {
  return <ReconciliationPage view={useLoaderData<typeof loader>().view} />;
}
