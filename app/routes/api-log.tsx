import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ApiLogPage } from "~/api-log/api-log-page";
import { loadApiLog } from "~/api-log/load-log.server";
import { requirePageViewer } from "~/people/viewer.server";
import { requireValue } from "~/platform/http/replies.server";

export const meta: MetaFunction = () => [{ title: "API log · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return requireValue(await loadApiLog(new URL(request.url).searchParams, new Date()));
}

export default function ApiLog() {
  return <ApiLogPage view={useLoaderData<typeof loader>()} />;
}
