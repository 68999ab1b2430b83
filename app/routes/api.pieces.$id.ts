import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadPiece } from "~/api/pieces.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  return replyJson({ success: true, data: requireValue(await loadPiece(params.id ?? "")) });
}
