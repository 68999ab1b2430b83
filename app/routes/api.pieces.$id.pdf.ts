import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadPieceFile } from "~/api/pieces.server";
import { requireViewer } from "~/people/viewer.server";
import { replyPdf, requireValue } from "~/platform/http/replies.server";

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  return replyPdf(requireValue(await loadPieceFile(params.id ?? "")));
}
