import { Link, useFetcher, useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import type { ProxyResponse } from "~/sending/proxy-types";
import { STATE_WORDS } from "~/story/messages";
import type { Story } from "~/story/story";
import { Notice } from "~/ui/notice";
import {
  CREDITS_HELD,
  CREDITS_NOT_CHARGED,
  formatBalance,
  formatBuyCredits,
  formatBuyFor,
  formatCreditsMoved,
  VIEW_PIECE,
} from "../messages";

const POLL_MS = 2_000;

/** What happened to the credits: one line after a success, a banner after a failed deduction. */
export function CreditsLine({ response }: { response: ProxyResponse }) {
  const { credits, send_id: sendId } = response;
  if (!credits) return null;
  const balance = formatBalance(credits.newBalance);
  const link = sendId ? (
    <Link to={`/sends/${sendId}`} className="link whitespace-nowrap">
      {VIEW_PIECE}
    </Link>
  ) : null;
  if (credits.success) {
    const { creditsRefunded, creditsDeducted, newBalance, replayed } = credits;
    return (
      <p className="tabular-nums">
        {formatCreditsMoved({
          credits: creditsRefunded ?? creditsDeducted,
          as: creditsRefunded === undefined ? "charged" : "refunded",
          replayed: replayed === true,
          balance: newBalance,
        })}{" "}
        {link}
      </p>
    );
  }
  if (credits.pending) {
    return <PendingCredits sendId={sendId ?? null} reason={`${credits.error}${balance}`} link={link} />;
  }
  return (
    <Notice tone="warn" title={CREDITS_NOT_CHARGED}>
      {credits.error}
      {balance} {link}
    </Notice>
  );
}

/** Polls the piece until its outcome is known. */
function PendingCredits({
  sendId,
  reason,
  link,
}: {
  sendId: string | null;
  reason: string;
  link: ReactNode;
}) {
  const { load, data, state } = useFetcher();
  const { revalidate } = useRevalidator();
  const found = (data as { story: Story } | undefined)?.story;
  const open = found === undefined || found.checking;
  useEffect(() => {
    if (!open || sendId === null || state !== "idle") return;
    const timer = setTimeout(() => load(`/sends/${sendId}`), POLL_MS);
    return () => clearTimeout(timer);
  }, [open, sendId, state, load]);
  // The header still shows the balance from before.
  useEffect(() => {
    if (!open) revalidate();
  }, [open, revalidate]);
  if (open) {
    return (
      <Notice tone="warn" title={CREDITS_HELD}>
        {reason} {link}
      </Notice>
    );
  }
  const { word, tone } = STATE_WORDS[found.state];
  return (
    <Notice tone={tone === "neutral" ? "info" : tone} title={`${word}.`} urgent>
      {found.mail} {found.credits} {link}
    </Notice>
  );
}

/** Starts the card payment. The form is parked on the server and comes back afterwards. */
export function BuyCredits({ formId, payer }: { formId: string; payer: string }) {
  return (
    <p className="flex flex-wrap items-center gap-3">
      <button type="submit" form={formId} name="intent" value="buy" className="button button-primary">
        {formatBuyCredits()}
      </button>
      <span className="text-dim">{formatBuyFor(payer)}</span>
    </p>
  );
}
