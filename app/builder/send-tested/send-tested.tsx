import { useMemo } from "react";
import type { MailType } from "~/sending/proxy-types";
import type { Draft } from "../draft";
import { ProofPanel } from "./tested-panel";
import { type HeldProof, listChanges } from "./tested-piece";

/** The proof in hand, compared with what the form holds now. */
export function Promotion({
  held,
  draft,
  around: { baseUrl, userId },
  tellDeal,
  ...rest
}: {
  held: HeldProof;
  draft: Draft;
  around: { baseUrl: string; userId: string | null };
  tellDeal: (mailType: MailType) => string;
  dollars: boolean;
  formId: string;
  busy: boolean;
  onPromote: (proofId: string) => void;
}) {
  const changes = useMemo(
    () => listChanges(held, draft, { baseUrl, userId }),
    [held, draft, baseUrl, userId],
  );
  return (
    <ProofPanel
      {...rest}
      held={held}
      changes={changes}
      standIn={held.draft.fallbackRecipient === true}
      deal={tellDeal(held.mailType)}
      onPromote={() => rest.onPromote(held.offer.id)}
    />
  );
}
