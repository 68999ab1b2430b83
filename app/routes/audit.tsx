import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AuditPage } from "~/audit/audit-page";
import { loadAudit } from "~/audit/audit-view.server";
import { requirePageViewer } from "~/people/viewer.server";
import { replyFailure } from "~/platform/http/replies.server";

export const meta: MetaFunction = () => [{ title: "Audit log · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = await loadAudit(new URL(request.url).searchParams, new Date());
  if (!view.ok) throw replyFailure(view.failure);
  return { view: view.value };
}

export default function AuditRoute() {
  return <AuditPage {...useLoaderData<typeof loader>()} />;
}
