import { PdfPages } from "~/ui/pdf/pdf-pages";
import { formatTestedPrice, NO_PDF } from "./messages";
import type { TestedPiece } from "./tested-piece";

/** The provider's PDF of a test. It is what will be printed, so it replaces the preview. */
export function TestedPdf({ piece: { offer, mailType }, dollars }: { piece: TestedPiece; dollars: boolean }) {
  return (
    <section aria-label="Provider's PDF" className="grid gap-3 border-line border-b py-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4">
        <h2>Provider's PDF</h2>
        {offer.pdf === null ? null : (
          <a href={offer.pdf} target="_blank" rel="noreferrer" className="link">
            Open PDF
          </a>
        )}
        <p className="ml-auto text-dim tabular-nums">{formatTestedPrice(offer.cost, mailType, dollars)}</p>
      </div>
      {offer.pdf === null ? (
        <p className="px-4 text-dim">{NO_PDF}</p>
      ) : (
        <div className="needs-script max-h-[70vh] overflow-auto bg-sunken p-2">
          <PdfPages src={offer.pdf} about="Provider's PDF" />
        </div>
      )}
    </section>
  );
}
