import type { LoaderFunctionArgs } from "@remix-run/node";
import { makeListProof } from "~/bulk/page/list-proof.server";
import { requirePageViewer } from "~/people/viewer.server";
import { replyPdf, replyPlainFailure } from "~/platform/http/replies.server";

/** `/bulk/<id>/proof.pdf?part=1`: the proof that a list's pieces were mailed. A part that is no number counts as the first. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const part = Number(/^[1-9]\d{0,3}$/.exec(new URL(request.url).searchParams.get("part") ?? "")?.[0] ?? 1);
  const proof = await makeListProof(params.id ?? "", part);
  return proof.ok ? replyPdf(proof.value) : replyPlainFailure(proof.failure);
}
