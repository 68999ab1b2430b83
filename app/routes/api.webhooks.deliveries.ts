import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { listWireDeliveries } from "~/webhooks/webhooks-api.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const page = requireValue(await listWireDeliveries(new URL(request.url).searchParams));
  return replyJson({ success: true, ...page });
}
