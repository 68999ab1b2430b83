import { Link } from "@remix-run/react";
import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import type { PieceDetails } from "~/pieces/page/load-details.server";
import { STATE_WORDS } from "~/pieces/page/messages";
import { formatInteger } from "~/platform/format-integer";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { Notice } from "~/ui/notice";
import { useCurrentAccount } from "../send/use-current-account";

/** " Balance 41, of which 1 is reserved.", or nothing where it is not known. @param held in credits */
export function formatBalance(balance: number | null, held = 0): string {
  if (balance === null) return "";
  return ` Balance ${formatInteger(balance)}${formatHeldPart(held)}.`;
}

/** Reports the credits: one line after a success or while the piece is checked, a banner after a failed deduction. */
export function CreditsLine({ response }: { response: ProxyResponse }) {
  const { credits, send_id: sendId, pending } = response;
  const account = useCurrentAccount();
  if (!credits) return null;
  // The header shows what can be spent, so the balance names what it holds beside that.
  const held = account?.userId === credits.userId ? account.held : 0;
  const balance = formatBalance(credits.newBalance, held);
  const link = sendId ? (
    <Link to={`/sends/${sendId}`} className="link whitespace-nowrap">
      View piece
    </Link>
  ) : null;
  if (credits.success) {
    const { creditsRefunded, creditsDeducted, replayed } = credits;
    const moved =
      creditsRefunded === undefined
        ? `${formatCredits(creditsDeducted)} charged`
        : `${formatCredits(creditsRefunded)} refunded`;
    return (
      <p className="tabular-nums">
        {`${moved}${replayed ? " by the first send, none now" : ""}.${balance}`} {link}
      </p>
    );
  }
  if (pending) {
    return (
      <p>
        {credits.error}
        {balance} {link}
      </p>
    );
  }
  return (
    <Notice tone="warn">
      {credits.error}
      {balance} {link}
    </Notice>
  );
}

/** Shows the outcome of a piece that the answer left open. It replaces the answer's message. */
export function LateOutcome({ story }: { story: PieceDetails }) {
  const { word, tone } = STATE_WORDS[story.state];
  return (
    <Notice tone={tone === "neutral" ? "info" : tone} title={`${word}.`} urgent>
      {story.mail} {story.credits}{" "}
      <Link to={`/sends/${story.id}`} className="link whitespace-nowrap">
        View piece
      </Link>
    </Notice>
  );
}
