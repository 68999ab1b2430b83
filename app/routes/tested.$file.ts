import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePageViewer } from "~/people/viewer.server";
import { loadTestedPdf, TESTED_PDF_NOT_FOUND } from "~/pieces/tested/tested-piece.server";
import { replyPdf, replyPlainFailure } from "~/platform/http/replies.server";
import { fail } from "~/platform/outcome";

const NAME = /^([0-9a-f-]{36})\.pdf$/;

/** Serves the provider's PDF of a tested piece. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const id = NAME.exec(params.file ?? "")?.[1];
  const file = id ? await loadTestedPdf(id) : fail("not_found", TESTED_PDF_NOT_FOUND);
  return file.ok ? replyPdf(file.value) : replyPlainFailure(file.failure);
}
