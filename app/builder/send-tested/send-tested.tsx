import { useMemo } from "react";
import type { MailType } from "~/pieces/mail-type";
import type { Draft } from "../draft";
import { TestedPanel } from "./tested-panel";
import { listChanges, type TestedPiece } from "./tested-piece";

/** The proof in hand, compared with what the form holds now. */
export function SendTested({
  held,
  draft,
  around: { baseUrl, userId },
  formatSend,
  ...rest
}: {
  held: TestedPiece;
  draft: Draft;
  around: { baseUrl: string; userId: string | null };
  formatSend: (mailType: MailType) => string;
  dollars: boolean;
  formId: string;
  busy: boolean;
  onSendTested: (testedPieceId: string) => void;
}) {
  const changes = useMemo(
    () => listChanges(held, draft, { baseUrl, userId }),
    [held, draft, baseUrl, userId],
  );
  return (
    <TestedPanel
      {...rest}
      held={held}
      changes={changes}
      isFallback={held.draft.fallbackRecipient === true}
      deal={formatSend(held.mailType)}
      onSendTested={() => rest.onSendTested(held.offer.id)}
    />
  );
}
