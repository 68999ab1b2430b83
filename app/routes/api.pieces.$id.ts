import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadPiece } from "~/api/load-pieces.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** One piece. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const found = await loadPiece(params.id ?? "");
  return found.ok ? replyJson({ success: true, data: found.value }) : replyFailure(found.failure);
}
