import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { MailType } from "~/pieces/mail-type";
import { formatDifferences } from "~/pieces/tested/messages";
import { IntentButton } from "../intent-button";
import { VIEW_PIECE } from "../response/messages";
import {
  FALLBACK_TESTED,
  formatSendTested,
  formatTestedSent,
  SEND_TESTED_HINT,
  TEST_AGAIN,
} from "./messages";
import type { TestedPiece } from "./tested-piece";

interface SendTestedProps {
  piece: TestedPiece;
  /** The parts of the form that were changed since the test. */
  changes: readonly string[];
  formatSend: (mailType: MailType) => string;
  formId: string;
  busy: boolean;
  /** In place of the button, where the credits do not last for it. */
  instead: ReactNode;
  onSendTested: (testedPieceId: string) => void;
}

/** On a phone a row of its own, above the buttons that are always there. */
const ROW = "max-sm:order-2 max-sm:w-full";

/** The button that sends exactly the tested piece live, or why that is not possible any more. */
export function SendTested({
  piece,
  changes,
  formatSend,
  formId,
  busy,
  instead,
  onSendTested,
}: SendTestedProps) {
  const { offer, mailType, sent } = piece;
  if (sent) {
    return (
      <p role="status" className={ROW}>
        {formatTestedSent(sent.charged)}{" "}
        <Link to={`/sends/${sent.sendId}`} className="link">
          {VIEW_PIECE}
        </Link>
      </p>
    );
  }
  if (changes.length > 0) {
    return (
      <p role="status" className={`text-warn ${ROW}`}>
        {formatDifferences([...changes])} {TEST_AGAIN}
      </p>
    );
  }
  if (piece.draft.fallbackRecipient) return <p className={`text-warn ${ROW}`}>{FALLBACK_TESTED}</p>;
  return (
    <>
      <input type="hidden" name="tested_piece_id" form={formId} value={offer.id} />
      {instead ?? (
        <IntentButton
          form={formId}
          intent="send_tested"
          disabled={busy}
          className={`button button-live whitespace-normal! [overflow-wrap:anywhere] ${ROW}`}
          title={SEND_TESTED_HINT}
          onPress={() => onSendTested(offer.id)}
        >
          {formatSendTested(formatSend(mailType))}
        </IntentButton>
      )}
    </>
  );
}
