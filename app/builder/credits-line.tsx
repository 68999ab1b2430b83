import { Link } from "@remix-run/react";
import { CREDIT_PACKAGE } from "~/catalogue/prices";
import type { ProxyResponse } from "~/sending/envelope";
import { Notice } from "~/ui/notice";

/** What became of the credits: quiet when all is well, a banner when not (spec §8 "Failed credit deduction"). */
export function CreditsLine({ response }: { response: ProxyResponse }) {
  const { credits, send_id: sendId } = response;
  if (!credits) return null;
  const balance = credits.newBalance === null ? "" : ` Balance ${credits.newBalance.toLocaleString("en")}.`;
  const story = sendId ? (
    <Link to={`/sends/${sendId}`} className="link whitespace-nowrap">
      The whole story
    </Link>
  ) : null;
  if (credits.success) {
    const count = credits.creditsDeducted;
    return (
      <p className="tabular-nums">
        {count} {count === 1 ? "credit" : "credits"} deducted{credits.replayed ? ", the first time" : ""}.
        {balance} {story}
      </p>
    );
  }
  if (credits.pending) {
    return (
      <Notice tone="warn" title="Credits are held:">
        {credits.error}
        {balance} {story}
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Credits were not deducted:">
      {credits.error}
      {balance} {story}
    </Notice>
  );
}

/** Leaves for the card payment; the Builder's form goes along, and is back as it was afterwards. */
export function BuyCredits({ formId, payer }: { formId: string; payer: string }) {
  const { credits, amountCents } = CREDIT_PACKAGE;
  return (
    <p className="flex flex-wrap items-center gap-3">
      <button type="submit" form={formId} name="intent" value="buy" className="button button-primary">
        Buy {credits} credits for ${(amountCents / 100).toFixed(2)}
      </button>
      <span className="text-dim">For {payer}. This request is kept and waits for you.</span>
    </p>
  );
}
