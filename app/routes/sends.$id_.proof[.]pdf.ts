import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePageViewer } from "~/people/viewer.server";
import { makePieceProof } from "~/pieces/page/piece-proof.server";
import { replyPdf, replyPlainFailure } from "~/platform/http/replies.server";

/** `/sends/<id>/proof.pdf`: the proof that a piece was mailed. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const proof = await makePieceProof(params.id ?? "");
  return proof.ok ? replyPdf(proof.value) : replyPlainFailure(proof.failure);
}
