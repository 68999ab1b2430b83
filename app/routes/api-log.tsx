import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { ApiLogPage } from "~/api-log/api-log-page";
import { loadApiLog } from "~/api-log/load-log.server";
import { requirePageViewer } from "~/people/viewer.server";
import { requireValue } from "~/platform/http/replies.server";

export const meta = titlePage("API log");

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return requireValue(await loadApiLog(new URL(request.url).searchParams, new Date()));
}

export default function ApiLog() {
  return <ApiLogPage view={useLoaderData<typeof loader>()} />;
}
