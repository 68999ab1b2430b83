import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ReconciliationPage } from "~/mail/reconciliation-page";
import { loadReconciliation } from "~/mail/reconciliation-view.server";
import { requirePageViewer } from "~/people/viewer.server";
import { statusOf } from "~/platform/replies.server";

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
