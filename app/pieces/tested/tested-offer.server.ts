import { findPdfAddress } from "~/outside/mail-provider/provider-pdf.server";
import { withDatabase } from "~/platform/database/database.server";
import { findTestedPiece, type ProviderTestResult } from "./tested-record.server";

/** A successful test that can be sent live. */
export interface TestedPieceOffer {
  id: string;
  /** The provider's price in its own spelling ("0.99"). */
  cost: string | null;
  /** Path of the provider's PDF here; null where it gave none that may be fetched. */
  pdf: string | null;
}

/** Formats a tested piece for the page. */
export function toTestedOffer(id: string, { cost, pdfUrl }: ProviderTestResult): TestedPieceOffer {
  const shown = pdfUrl !== null && findPdfAddress(pdfUrl) !== null;
  return { id, cost, pdf: shown ? `/tested/${id}.pdf` : null };
}

/** A tested piece of this person that can still be sent live; null without it, or while the database is away. */
export async function findTestedOffer(id: string, actorId: string): Promise<TestedPieceOffer | null> {
  const found = await withDatabase((db) => findTestedPiece(db, id));
  if (!found.ok || !found.value || found.value.old || found.value.actorId !== actorId) return null;
  return toTestedOffer(id, found.value);
}
