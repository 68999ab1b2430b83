import { fetchProofFile, findProofAddress } from "~/outside/mail-provider/proof-file.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome } from "~/platform/outcome";
import { findProof } from "./tested-record.server";

/**
 * The provider's PDF of a proof; any signed-in person may see it (spec §6). Fails with `not_found`, as the database
 * does, or as fetching it does.
 */
export async function readProofPdf(id: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const found = await withDatabase((db) => findProof(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", "There is no such proof any more. Test again to make one.");
  const address = found.value.pdfUrl === null ? null : findProofAddress(found.value.pdfUrl);
  if (!address) return fail("not_found", "The provider gave no PDF with this proof that can be shown here.");
  return fetchProofFile(address);
}
