import { Link } from "@remix-run/react";
import { Notice } from "~/ui/notice";
import type { Attention } from "../credits-view";

/** What waits for a person: sends whose outcome nobody knows, payments that are not what was ordered. */
export function AttentionNotices({ attention }: { attention: Attention }) {
  return (
    <>
      {attention.sends.map((send) => (
        <Notice key={send.id} tone="bad" title="A send needs a decision:">
          it cannot be told whether a {send.mailType} of {send.payer} was mailed, and its credits stay held.{" "}
          <Link to={`/sends/${send.id}`} className="link">
            Decide
          </Link>
        </Notice>
      ))}
      {attention.payments.map((payment) => (
        <Notice key={payment.id} tone="bad" title="Look into a payment:">
          {payment.note} Bought for {payment.buyer}, number <span className="wire">{payment.id}</span>.
        </Notice>
      ))}
    </>
  );
}
