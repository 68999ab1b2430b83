import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadPieceFile } from "~/api/load-pieces.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyPdf } from "~/platform/http/replies.server";

/** The provider's PDF of a piece. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const file = await loadPieceFile(params.id ?? "");
  return file.ok ? replyPdf(file.value) : replyFailure(file.failure);
}
