import type { LoaderFunctionArgs } from "@remix-run/node";
import { listUserOptions } from "~/people/stored-user.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  return replyJson({ success: true, users: requireValue(await listUserOptions(viewer)) });
}
