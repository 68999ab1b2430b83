import { Link } from "@remix-run/react";
import { MAIL_PRICES } from "~/catalogue/prices";
import type { MailType } from "~/pieces/mail-type";
import { countCredits } from "~/sending/credit-outcome";
import { formatDifferences } from "~/sending/messages";
import type { TestedPieceOffer } from "~/sending/proxy-types";
import { Notice } from "~/ui/notice";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import type { TestedPiece } from "./tested-piece";

/**
 * What the provider made of a test: its PDF, its price, and the way from here to the real thing. `deal` is what goes to
 * whom for how much; `changes` are the parts of the form that were edited since, each of which takes the way away.
 */
export function TestedPanel({
  held,
  changes,
  isFallback,
  deal,
  dollars,
  formId,
  busy,
  onSendTested,
}: {
  held: TestedPiece;
  changes: readonly string[];
  /** Whether a stand-in took the place of the recipient. */
  isFallback: boolean;
  deal: string;
  /** Whether the account's money is that of the United States. */
  dollars: boolean;
  formId: string;
  busy: boolean;
  onSendTested: () => void;
}) {
  const { offer, mailType, sendId } = held;
  return (
    <section aria-label="Provider's proof" className="grid gap-3 border-line border-y py-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4">
        <h2>The provider's proof</h2>
        {offer.pdf === null ? null : (
          <a href={offer.pdf} target="_blank" rel="noreferrer" className="link">
            Open the proof (PDF)
          </a>
        )}
      </div>
      {offer.pdf === null ? (
        <p className="px-4 text-dim">The provider gave no PDF that can be shown here.</p>
      ) : (
        <div className="needs-script max-h-[50vh] overflow-auto bg-sunken p-2">
          <PdfPages src={offer.pdf} about="The provider's proof" />
        </div>
      )}
      <p className="px-4 tabular-nums">{formatPrice(offer, mailType, dollars)}</p>
      <div className="px-4" aria-live="polite">
        {sendId !== null ? (
          <p>
            Promoted to live: one piece, once.{" "}
            <Link to={`/sends/${sendId}`} className="link">
              The whole story
            </Link>
          </p>
        ) : changes.length > 0 ? (
          <Notice tone="warn">{formatDifferences(changes)} Test again to promote.</Notice>
        ) : isFallback ? (
          <Notice tone="warn">
            The recipient is a stand-in for tests. Choose a recipient and test again to promote.
          </Notice>
        ) : (
          <>
            <input type="hidden" name="tested_piece_id" form={formId} value={offer.id} />
            <button
              type="submit"
              form={formId}
              name="intent"
              value="promote"
              disabled={busy}
              className="button button-live w-full whitespace-normal! [overflow-wrap:anywhere]"
              onClick={(event) => {
                event.preventDefault();
                onSendTested();
              }}
            >
              Promote to live: {deal}
            </button>
            <p className="mt-1 text-dim">
              Mails what was proved, with test off and nothing else changed. Any edit takes this away.
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function formatPrice({ cost }: TestedPieceOffer, mailType: MailType, dollars: boolean): string {
  const ours = `Mailroom charges ${countCredits(MAIL_PRICES[mailType])}.`;
  if (cost === null) return ours;
  return `The provider would charge ${dollars ? `$${cost}` : `${cost} in its account's money`}; ${ours}`;
}
