import type { ReactNode } from "react";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import { formatDifferences } from "~/pieces/tested/tested-changes";
import type { DuplicateOf } from "~/proxy/answer.schema.server";
import { TextLink } from "~/ui/links";
import { FORM_ID, IntentButton } from "../forms/form-context";
import type { TestedPiece } from "../send/tested-piece";

export const FALLBACK_TESTED =
  "The recipient is only a placeholder for tests. Choose a recipient and test again.";

interface SendTestedProps {
  piece: TestedPiece;
  changes: readonly string[];
  formatSend: (mailType: MailType) => string;
  busy: boolean;
  /** In place of the button, where the credits do not last for it. */
  instead: ReactNode;
  onSendTested: (testedPieceId: string) => void;
}

/** On a phone a row of its own, above the buttons that are always there. */
const ROW = "max-sm:order-2 max-sm:w-full";

/** The button that sends exactly the tested piece live, or why that is not possible any more. */
export function SendTested({ piece, changes, formatSend, busy, instead, onSendTested }: SendTestedProps) {
  const { offer, mailType, sent } = piece;
  if (sent) {
    return (
      <p role="status" className={ROW}>
        {sent.charged === null
          ? "Its page shows whether it was mailed."
          : `Sent. ${formatCredits(sent.charged)} charged.`}{" "}
        <TextLink to={`/sends/${sent.sendId}`}>View piece</TextLink>
      </p>
    );
  }
  if (changes.length > 0) {
    return (
      <p role="status" className={`text-warn ${ROW}`}>
        {formatDifferences([...changes])} Test again to send it live.
      </p>
    );
  }
  if (piece.draft.fallbackRecipient) return <p className={`text-warn ${ROW}`}>{FALLBACK_TESTED}</p>;
  return (
    <>
      <input type="hidden" name="tested_piece_id" form={FORM_ID} value={offer.id} />
      {instead ?? (
        <IntentButton
          form={FORM_ID}
          intent="send_tested"
          disabled={busy}
          className={`button button-live whitespace-normal! [overflow-wrap:anywhere] ${ROW}`}
          title="Sends exactly what you tested, as real mail. Edits need a new test."
          onPress={() => onSendTested(offer.id)}
        >
          {`Send tested piece live: ${formatSend(mailType)}`}
        </IntentButton>
      )}
    </>
  );
}

interface SendAnywayProps {
  duplicate: DuplicateOf;
  /** "postcard 4x6 to J. Smith: 1 credit, leaves 40" */
  liveSend: string;
  busy: boolean;
  onSend: () => void;
}

export function SendAnyway({ duplicate, liveSend, busy, onSend }: SendAnywayProps) {
  return (
    <p className="flex flex-wrap items-center gap-3">
      <TextLink to={`/sends/${duplicate.send_id}`}>Earlier piece</TextLink>
      <input type="hidden" name="known_duplicate" form={FORM_ID} value={duplicate.send_id} />
      {duplicate.tested_piece_id ? (
        <input type="hidden" name="tested_piece_id" form={FORM_ID} value={duplicate.tested_piece_id} />
      ) : null}
      <IntentButton
        form={FORM_ID}
        intent={duplicate.tested_piece_id ? "send_tested_anyway" : "send_anyway"}
        disabled={busy}
        className="button button-live whitespace-normal! [overflow-wrap:anywhere]"
        onPress={onSend}
      >
        Send anyway: {liveSend}
      </IntentButton>
    </p>
  );
}
