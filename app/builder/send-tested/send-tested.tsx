import { Link } from "@remix-run/react";
import { useMemo } from "react";
import type { MailType } from "~/pieces/mail-type";
import { formatDifferences } from "~/sending/messages";
import { Notice } from "~/ui/notice";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import type { Draft } from "../draft";
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
import { listChanges, type SendChoices, type TestedPiece } from "./tested-piece";

interface SendTestedProps {
  piece: TestedPiece;
  /** The form as it is now. */
  draft: Draft;
  choices: SendChoices;
  /** Whether the account is in US dollars. */
  dollars: boolean;
  formatSend: (mailType: MailType) => string;
  formId: string;
  busy: boolean;
  onSendTested: (testedPieceId: string) => void;
}

/** The provider's PDF of a test with its price, and the button that sends exactly that piece live. */
export function SendTested({ piece, dollars, ...rest }: SendTestedProps) {
  const { offer, mailType } = piece;
  return (
    <section aria-label="Provider's PDF" className="grid gap-3 border-line border-y py-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4">
        <h2>Provider's PDF</h2>
        {offer.pdf === null ? null : (
          <a href={offer.pdf} target="_blank" rel="noreferrer" className="link">
            Open PDF
          </a>
        )}
      </div>
      {offer.pdf === null ? (
        <p className="px-4 text-dim">{NO_PDF}</p>
      ) : (
        <div className="needs-script max-h-[50vh] overflow-auto bg-sunken p-2">
          <PdfPages src={offer.pdf} about="Provider's PDF" />
        </div>
      )}
      <p className="px-4 tabular-nums">{formatTestedPrice(offer.cost, mailType, dollars)}</p>
      <div className="px-4" aria-live="polite">
        <NextStep piece={piece} {...rest} />
      </div>
    </section>
  );
}

function NextStep({
  piece,
  draft,
  choices: { baseUrl, userId },
  formatSend,
  formId,
  busy,
  onSendTested,
}: Omit<SendTestedProps, "dollars">) {
  const { offer, mailType, sent } = piece;
  const changes = useMemo(
    () => listChanges(piece, draft, { baseUrl, userId }),
    [piece, draft, baseUrl, userId],
  );
  if (sent) {
    return (
      <p>
        {formatTestedSent(sent.charged)}{" "}
        <Link to={`/sends/${sent.sendId}`} className="link">
          {VIEW_PIECE}
        </Link>
      </p>
    );
  }
  if (changes.length > 0) {
    return (
      <Notice tone="warn">
        {formatDifferences(changes)} {TEST_AGAIN}
      </Notice>
    );
  }
  if (piece.draft.fallbackRecipient) return <Notice tone="warn">{FALLBACK_TESTED}</Notice>;
  return (
    <>
      <input type="hidden" name="tested_piece_id" form={formId} value={offer.id} />
      <IntentButton
        form={formId}
        intent="send_tested"
        disabled={busy}
        className="button button-live w-full whitespace-normal! [overflow-wrap:anywhere]"
        onPress={() => onSendTested(offer.id)}
      >
        {formatSendTested(formatSend(mailType))}
      </IntentButton>
      <p className="mt-1 text-dim">{SEND_TESTED_HINT}</p>
    </>
  );
}
