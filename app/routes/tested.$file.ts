import { loadTestedPdf, TESTED_PDF_NOT_FOUND } from "~/pieces/tested/tested-piece.server";
import { fail } from "~/platform/outcome";
import { pdfLoader } from "~/route-handlers.server";

const NAME = /^([0-9a-f-]{36})\.pdf$/;

/** Serves the provider's PDF of a tested piece. */
export const loader = pdfLoader(async ({ params }) => {
  const id = NAME.exec(params.file ?? "")?.[1];
  return id ? loadTestedPdf(id) : fail("not_found", TESTED_PDF_NOT_FOUND);
});
