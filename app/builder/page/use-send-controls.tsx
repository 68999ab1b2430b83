import { type ReactNode, useMemo } from "react";
import { CREDIT_PACKAGE, MAIL_PRICES, PACKAGE_PRICE } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import { formatInteger } from "~/platform/format-integer";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { MissingScope, useMay } from "~/ui/may";
import { useHydrated } from "~/ui/use-hydrated";
import { BLOCKED_IN_TEST, FAULT_NOT_ALLOWED, SEND_BLOCKS } from "../draft/messages";
import { findMailType, findSendScope } from "../draft/mode";
import { FORM_ID } from "../forms/form-context";
import { formatLiveSend, formatPiece, SendButton } from "../send/send-button";
import { listChanges } from "../send/tested-piece";
import { findAvailable, useCurrentAccount, useFreshAccount } from "../send/use-current-account";
import { useFaults } from "../send/use-faults";
import { findResponse } from "../send/use-send";
import type { ShownView } from "./builder-view";
import { SendAnyway, SendTested } from "./lazy-chunks";
import type { BuilderParts } from "./use-builder";

/** A test that is sent once its file is read. */
export const SENT_WHEN_READ = "Reading the file…";

/** Why live mail is not offered. @param available in credits */
export function formatShort(price: number, available: number): string {
  return `This costs ${formatCredits(price)}, ${formatInteger(available)} available.`;
}

/** The buttons that send, what takes their place, and what is offered after a refusal. */
export function useSendControls(view: ShownView, builder: BuilderParts) {
  const { users, signedIn, entry } = view;
  const { choices, request, mail, tested, sending, submit } = builder;
  const { draft, call, kind, liveMailType } = request;
  const { loading } = sending;
  const { userId } = choices;
  const { found, report, faults } = useFaults(liveMailType !== null || tested.piece !== null, view.faults);
  const may = useMay();
  const available = findAvailable(useCurrentAccount(), userId);
  const changes = useMemo(
    () => (tested.piece ? listChanges(tested.piece, draft, { baseUrl: choices.base.url, userId }) : []),
    [tested.piece, draft, choices.base.url, userId],
  );
  const formatSend = (mailType: MailType) =>
    formatLiveSend(formatPiece(mailType, draft, call, mail.listed), mailType, available);
  const payer = users.find((user) => user.id === userId)?.display_name ?? "the current user";
  const renderBuy = (mailType: MailType | null): ReactNode =>
    mailType && may("credits") && available !== null && available < MAIL_PRICES[mailType] ? (
      <BuyCredits payer={payer} why={formatShort(MAIL_PRICES[mailType], available)} />
    ) : null;
  const offered = tested.piece && !tested.piece.sent && changes.length === 0 ? tested.piece : null;
  // The answer has the button that sends it anyway. This one would only be refused again.
  const isHeldBack =
    offered !== null && findResponse(sending.run)?.duplicate_of?.tested_piece_id === offered.offer.id;
  const buyForTested = renderBuy(offered?.mailType ?? null);
  const buyForLive = renderBuy(liveMailType);
  useFreshAccount(Boolean(buyForLive || buyForTested));
  const hydrated = useHydrated();
  // Without JavaScript the server asks.
  const isFaulty = hydrated && faults.needed && !faults.allowed;
  const fault = liveMailType !== null && isFaulty ? FAULT_NOT_ALLOWED : null;
  // Without JavaScript the button stays as it is while the path is typed.
  const block = !hydrated && request.block === "empty_path" ? null : (findBlock(builder) ?? fault);
  // In live mode the button of the tested piece sends the same, so it replaces this one.
  const sendsTested = liveMailType !== null && offered !== null && !offered.draft.fallbackRecipient;
  const renderSend = () => {
    // One offer to buy is enough.
    if (!loading && buyForLive) return buyForTested ? null : buyForLive;
    const scope = findSendScope(draft, liveMailType);
    if (!may(scope)) return <MissingScope scope={scope} />;
    if (!loading && sendsTested) return null;
    return (
      <SendButton
        word={request.awaited ? SENT_WHEN_READ : kind ? "Send test" : "Send"}
        block={block}
        loading={loading}
        signedIn={signedIn}
        // On the first screen no one has chosen the request yet.
        primary={entry !== "first" || request.revision > 0}
        sendingLive={sending.sendingLive}
        liveSend={liveMailType && formatSend(liveMailType)}
        onStop={sending.stop}
      />
    );
  };
  return {
    available,
    changes,
    block,
    found,
    report,
    faults,
    sendButton: renderSend(),
    sendTested:
      tested.piece && !isHeldBack && may("send:live") ? (
        <SendTested
          piece={tested.piece}
          changes={changes}
          formatSend={formatSend}
          busy={loading || isFaulty}
          instead={buyForTested}
          onSendTested={(id) => void submit.send(draft, id)}
        />
      ) : null,
    renderNextStep: ({ shortfall, duplicate_of: duplicate }: ProxyResponse) => {
      if (shortfall)
        return buyForLive || buyForTested || !may("credits") ? null : <BuyCredits payer={payer} />;
      const mailType = duplicate?.tested_piece_id ? findMailType(draft) : liveMailType;
      return duplicate && mailType ? (
        <SendAnyway
          duplicate={duplicate}
          liveSend={formatSend(mailType)}
          busy={loading}
          onSend={() => void submit.send(draft, duplicate.tested_piece_id, duplicate.send_id)}
        />
      ) : null;
    },
  };
}

function findBlock({ request, moving }: BuilderParts): string | null {
  const { block, reading, liveMailType, blockedInTest } = request;
  if (moving) return "Loading another preset.";
  if (reading.length > 0 && liveMailType !== null) return "A file is being read. Send when it is attached.";
  if (blockedInTest) return BLOCKED_IN_TEST;
  return block && SEND_BLOCKS[block].title;
}

interface BuyCreditsProps {
  payer: string;
  /** In the bar below an editor, instead of for whom. */
  why?: string;
}

/** Starts the card payment. The form is parked on the server and comes back afterwards. */
function BuyCredits({ payer, why }: BuyCreditsProps) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 max-sm:order-2">
      {why ? <span className="text-warn">{why}</span> : null}
      <button type="submit" form={FORM_ID} name="intent" value="buy" className="button button-primary">
        {`Buy ${CREDIT_PACKAGE.credits} credits for ${PACKAGE_PRICE}`}
      </button>
      {why ? null : <span className="text-dim">{`For ${payer}. You will return to this draft.`}</span>}
    </p>
  );
}
