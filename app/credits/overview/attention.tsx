import { Link } from "@remix-run/react";
import { Notice } from "~/ui/notice";
import type { Attention } from "../credits-view";
import { formatUndecidedPiece } from "../messages";

/** What needs a decision: pieces whose outcome is not known, and payments that do not match their order. */
export function AttentionNotices({ attention }: { attention: Attention }) {
  return (
    <>
      {attention.sends.map((send) => (
        <Notice key={send.id} tone="bad" title="A piece needs a decision.">
          {formatUndecidedPiece(send.mailType, send.payer)}{" "}
          <Link to={`/sends/${send.id}`} className="link">
            Decide
          </Link>
        </Notice>
      ))}
      {attention.payments.map((payment) => (
        <Notice key={payment.id} tone="bad" title="A payment needs a decision.">
          {payment.note} Bought for {payment.buyer}, payment number <span className="wire">{payment.id}</span>
          .
        </Notice>
      ))}
    </>
  );
}
