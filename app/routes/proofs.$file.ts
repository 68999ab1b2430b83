import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePageViewer } from "~/people/viewer.server";
import { replyPdf, replyPlainFailure } from "~/platform/http/replies.server";
import { fail } from "~/platform/outcome";
import { readProofPdf } from "~/sending/tested/tested-pdf.server";

const NAME = /^([0-9a-f-]{36})\.pdf$/;

/** `/proofs/<id>.pdf`: the provider's PDF of a test send, shown beside it. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const id = NAME.exec(params.file ?? "")?.[1];
  const file = id ? await readProofPdf(id) : fail("not_found", "There is no proof at this address.");
  return file.ok ? replyPdf(file.value) : replyPlainFailure(file.failure);
}
