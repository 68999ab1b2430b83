import { loadPiecePdf } from "~/pieces/piece-pdf.server";
import { pdfLoader } from "~/route-handlers.server";

/** Serves the provider's PDF of a live piece. */
export const loader = pdfLoader(({ id }) => loadPiecePdf(id));
