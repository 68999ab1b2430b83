import { useLoaderData } from "@remix-run/react";
import { ApiLogPage } from "~/api-log/api-log-page";
import { loadApiLog } from "~/api-log/load-log.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("API log");

export const loader = pageLoader(async ({ query, now }) => requireValue(await loadApiLog(query, now)));

export default function ApiLog() {
  return <ApiLogPage view={useLoaderData<typeof loader>()} />;
}
