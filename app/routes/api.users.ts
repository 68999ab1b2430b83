import type { LoaderFunctionArgs } from "@remix-run/node";
import { listUserOptions } from "~/people/user-options.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const users = await listUserOptions(viewer);
  return users.ok ? replyJson({ success: true, users: users.value }) : replyFailure(users.failure);
}
