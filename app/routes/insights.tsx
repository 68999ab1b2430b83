import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { InsightsPage } from "~/insights/insights-page";
import { loadInsightsView } from "~/insights/load-insights.server";
import { findViewer } from "~/people/viewer.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Insights");

export async function loader({ request }: LoaderFunctionArgs) {
  return loadInsightsView(await findViewer(request), new Date());
}

export default function Insights() {
  return <InsightsPage view={useLoaderData<typeof loader>()} />;
}
