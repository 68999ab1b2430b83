import { Link } from "@remix-run/react";
import type { MailType } from "~/pieces/mail-type";
import { formatDifferences } from "~/sending/messages";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import { IntentButton } from "../intent-button";
import {
  FALLBACK_TESTED,
  formatSendTested,
  formatTestedPrice,
  formatTestedSent,
  NO_PDF,
  SEND_TESTED_HINT,
  TEST_AGAIN,
  VIEW_PIECE,
} from "../messages";
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

interface SendTestedProps {
  piece: TestedPiece;
  /** The parts of the form that were changed since the test. */
  changes: readonly string[];
  formatSend: (mailType: MailType) => string;
  formId: string;
  busy: boolean;
  onSendTested: (testedPieceId: string) => void;
}

/** The button that sends exactly the tested piece live, or why that is not possible any more. */
export function SendTested({ piece, changes, formatSend, formId, busy, onSendTested }: SendTestedProps) {
  const { offer, mailType, sent } = piece;
  if (sent) {
    return (
      <p role="status">
        {formatTestedSent(sent.charged)}{" "}
        <Link to={`/sends/${sent.sendId}`} className="link">
          {VIEW_PIECE}
        </Link>
      </p>
    );
  }
  if (changes.length > 0) {
    return (
      <p role="status" className="text-warn">
        {formatDifferences([...changes])} {TEST_AGAIN}
      </p>
    );
  }
  if (piece.draft.fallbackRecipient) return <p className="text-warn">{FALLBACK_TESTED}</p>;
  return (
    <>
      <input type="hidden" name="tested_piece_id" form={formId} value={offer.id} />
      <IntentButton
        form={formId}
        intent="send_tested"
        disabled={busy}
        className="button button-live whitespace-normal! [overflow-wrap:anywhere] max-sm:w-full"
        title={SEND_TESTED_HINT}
        onPress={() => onSendTested(offer.id)}
      >
        {formatSendTested(formatSend(mailType))}
      </IntentButton>
    </>
  );
}
