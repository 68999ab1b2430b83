import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePageViewer } from "~/people/viewer.server";
import { loadPiecePdf } from "~/pieces/piece-pdf.server";
import { replyPdf, replyPlainFailure } from "~/platform/http/replies.server";

/** `/sends/<id>/piece.pdf`: the provider's PDF of what was mailed. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const file = await loadPiecePdf(params.id ?? "");
  return file.ok ? replyPdf(file.value) : replyPlainFailure(file.failure);
}
