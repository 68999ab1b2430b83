import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePageViewer } from "~/people/viewer.server";
import { loadPiecePdf } from "~/pieces/piece-pdf.server";
import { replyPdf, replyPlainFailure } from "~/platform/http/replies.server";

/** Serves the provider's PDF of a live piece. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const file = await loadPiecePdf(params.id ?? "");
  return file.ok ? replyPdf(file.value) : replyPlainFailure(file.failure);
}
