import { useLoaderData } from "@remix-run/react";
import { AuditPage } from "~/audit/audit-page";
import { loadAudit } from "~/audit/audit-view.server";
import { requireValue } from "~/platform/http/replies.server";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Audit log");

export const loader = pageLoader(async ({ query, now }) => requireValue(await loadAudit(query, now)));

export default function AuditRoute() {
  return <AuditPage view={useLoaderData<typeof loader>()} />;
}
