import { makePieceProof } from "~/pieces/page/piece-proof.server";
import { pdfLoader } from "~/route-handlers.server";

/** `/sends/<id>/proof.pdf`: the proof that a piece was mailed. */
export const loader = pdfLoader(({ id }) => makePieceProof(id));
