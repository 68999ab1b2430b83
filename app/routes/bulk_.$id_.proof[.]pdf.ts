import { makeListProof } from "~/bulk/page/list-proof.server";
import { pdfLoader } from "~/route-handlers.server";

/** `/bulk/<id>/proof.pdf?part=1`: the proof that a list's pieces were mailed. A part that is no number counts as the first. */
export const loader = pdfLoader(({ id, query }) =>
  makeListProof(id, Number(/^[1-9]\d{0,3}$/.exec(query.get("part") ?? "")?.[0] ?? 1)),
);
