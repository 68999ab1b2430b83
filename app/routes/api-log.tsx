import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { ApiLogPage } from "~/api-log/api-log-page";
import { loadApiLog } from "~/api-log/load-log.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageLoader } from "~/route-handlers.server";

export const meta = titlePage("API log");

export const loader = pageLoader(async ({ query, now }) => requireValue(await loadApiLog(query, now)));

export default function ApiLog() {
  return <ApiLogPage view={useLoaderData<typeof loader>()} />;
}
