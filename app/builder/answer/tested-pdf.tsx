import type { ReactNode } from "react";
import { MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import { measureTest } from "~/print/layout/measured";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import { useForm } from "../forms/form-context";
import { buildState, useMeasured } from "../forms/mail-preview";
import { formatProviderPrice } from "../send/send-bar";
import type { TestedPiece } from "../send/tested-piece";

interface TestedPdfProps {
  piece: TestedPiece;
  sendTested: ReactNode;
}

/**
 * The provider's PDF of a test, which is what will be printed, so it replaces the preview. Once the piece was sent live,
 * it is the PDF of what was mailed, without SPECIMEN.
 */
export function TestedPdf({ piece: { offer, mailType, draft, sent }, sendTested }: TestedPdfProps) {
  const { listed, home, baseUrl, currency } = useForm();
  const state = buildState(mailType, draft, listed, home);
  const [, keepMeasured] = useMeasured(baseUrl, state);
  const charged = sent?.charged ?? null;
  const pdf = sent && charged !== null ? `/sends/${sent.sendId}/piece.pdf` : offer.pdf;
  return (
    <section aria-label="Provider's PDF" className="grid gap-3 border-line border-b py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 px-4">
        <div className="flex items-baseline gap-4">
          <h2>Provider's PDF</h2>
          {pdf === null ? null : (
            <a href={pdf} target="_blank" rel="noreferrer" className="link">
              Open PDF
            </a>
          )}
        </div>
        <p className="text-dim tabular-nums">{formatTestedPrice(offer.cost, mailType, currency, charged)}</p>
      </div>
      {pdf === null ? (
        <p className="px-4 text-dim">The provider returned no PDF that can be shown here.</p>
      ) : (
        <div className="needs-script overflow-auto bg-sunken px-2 py-2">
          <PdfPages
            src={pdf}
            subject="Provider's PDF"
            names={mailType === "postcard" ? ["Front", "Back"] : []}
            landscape={mailType === "postcard"}
            action={sendTested}
            onRead={(content) => {
              const measured = measureTest(content, state, Date.now());
              if (measured) keepMeasured(JSON.stringify(measured));
            }}
          />
        </div>
      )}
    </section>
  );
}

/** @param charged credits, once it was sent live */
function formatTestedPrice(
  cost: string | null,
  mailType: MailType,
  currency: string | null,
  charged: number | null,
): string {
  const ours =
    charged === null
      ? `Mailroom charges ${formatCredits(MAIL_PRICES[mailType])}.`
      : `Mailroom charged ${formatCredits(charged)}.`;
  return cost === null ? ours : `${formatProviderPrice(cost, currency)}. ${ours}`;
}
