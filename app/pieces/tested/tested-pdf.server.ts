import { fetchProviderPdf, findPdfAddress } from "~/outside/mail-provider/provider-pdf.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome } from "~/platform/outcome";
import { TESTED_PDF_MISSING, TESTED_PDF_NOT_FOUND } from "./messages";
import { findTestedPiece } from "./tested-record.server";

/**
 * The provider's PDF of a tested piece; any signed-in person may see it. Fails with `not_found`, as the database
 * does, or as fetching does.
 */
export async function loadTestedPdf(id: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const found = await withDatabase((db) => findTestedPiece(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", TESTED_PDF_NOT_FOUND);
  const address = found.value.pdfUrl === null ? null : findPdfAddress(found.value.pdfUrl);
  if (!address) return fail("not_found", TESTED_PDF_MISSING);
  return fetchProviderPdf(address);
}
