import { Link, useFetcher, useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { CREDIT_PACKAGE } from "~/catalogue/prices";
import type { ProxyResponse } from "~/sending/proxy-types";
import { STATE_WORDS } from "~/story/messages";
import type { Story } from "~/story/story";
import { Notice } from "~/ui/notice";

const LOOK_AGAIN_MS = 2_000;

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
    const { creditsRefunded } = credits;
    const count = creditsRefunded ?? credits.creditsDeducted;
    const moved = creditsRefunded === undefined ? "deducted" : "refunded";
    return (
      <p className="tabular-nums">
        {count} {count === 1 ? "credit" : "credits"} {moved}
        {credits.replayed ? ", the first time" : ""}.{balance} {story}
      </p>
    );
  }
  if (credits.pending) {
    return <PendingCredits sendId={sendId ?? null} said={`${credits.error}${balance}`} story={story} />;
  }
  return (
    <Notice tone="warn" title="Credits were not deducted:">
      {credits.error}
      {balance} {story}
    </Notice>
  );
}

/** Looks the send up until its outcome is known, so that nobody has to ask. */
function PendingCredits({ sendId, said, story }: { sendId: string | null; said: string; story: ReactNode }) {
  const { load, data, state } = useFetcher();
  const { revalidate } = useRevalidator();
  const found = (data as { story: Story } | undefined)?.story;
  const open = found === undefined || found.checking;
  useEffect(() => {
    if (!open || sendId === null || state !== "idle") return;
    const timer = setTimeout(() => load(`/sends/${sendId}`), LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [open, sendId, state, load]);
  // The header's balance is older than this.
  useEffect(() => {
    if (!open) revalidate();
  }, [open, revalidate]);
  if (open) {
    return (
      <Notice tone="warn" title="Credits are held:">
        {said} {story}
      </Notice>
    );
  }
  const { word, tone } = STATE_WORDS[found.state];
  return (
    <Notice tone={tone === "neutral" ? "info" : tone} title={`${word}.`} urgent>
      {found.mail} {found.credits} {story}
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
