import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { AuditPage } from "~/audit/audit-page";
import { loadAudit } from "~/audit/audit-view.server";
import { requirePageViewer } from "~/people/viewer.server";
import { requireValue } from "~/platform/http/replies.server";

export const meta = titlePage("Audit log");

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return { view: requireValue(await loadAudit(new URL(request.url).searchParams, new Date())) };
}

export default function AuditRoute() {
  return <AuditPage {...useLoaderData<typeof loader>()} />;
}
