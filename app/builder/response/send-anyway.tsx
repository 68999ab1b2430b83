import { Link } from "@remix-run/react";
import type { DuplicateOf } from "~/proxy/proxy-types";
import { IntentButton } from "../intent-button";
import { EARLIER_PIECE } from "./messages";

/** For a piece that was sent before: a link to the earlier piece, and a button that sends this one too. */
export function SendAnyway({
  duplicate,
  liveSend,
  formId,
  busy,
  onSend,
}: {
  duplicate: DuplicateOf;
  /** "postcard 4x6 to J. Smith: 1 credit, leaves 40" */
  liveSend: string;
  formId: string;
  busy: boolean;
  onSend: () => void;
}) {
  return (
    <p className="flex flex-wrap items-center gap-3">
      <Link to={`/sends/${duplicate.send_id}`} className="link">
        {EARLIER_PIECE}
      </Link>
      <input type="hidden" name="known_duplicate" form={formId} value={duplicate.send_id} />
      {duplicate.tested_piece_id ? (
        <input type="hidden" name="tested_piece_id" form={formId} value={duplicate.tested_piece_id} />
      ) : null}
      <IntentButton
        form={formId}
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
