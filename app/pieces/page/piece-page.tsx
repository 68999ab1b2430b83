import { Form, Link } from "@remix-run/react";
import type { Flash } from "~/platform/http/flash.server";
import type { Failure } from "~/platform/outcome";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { ButtonLink, TextLink } from "~/ui/links";
import { useMay } from "~/ui/may";
import { FlashNotice, Notice, ProblemNotice } from "~/ui/notice";
import { PollUntilDone } from "~/ui/reload";
import { ConfirmForm, Submit } from "~/ui/submit";
import { isOpen } from "../states";
import type { PieceDetails } from "./load-details.server";
import { MoneyPart, PiecePart, Steps, TimelineList, WireParts } from "./piece-parts";

export function PiecePage({
  details,
  question,
  erased,
  flash,
  failure,
  mayDecide,
}: {
  details: PieceDetails;
  /** The effect of a cancel, while it is to be confirmed. */
  question: string | null;
  /** When and by whom its personal data was erased. */
  erased: string | null;
  flash: Flash | null;
  failure: Failure | null;
  mayDecide: boolean;
}) {
  const may = useMay();
  const address = `/sends/${encodeURIComponent(details.id)}`;
  return (
    <div className="mx-auto w-full max-w-[1180px] px-4 py-6">
      {details.checking ? <PollUntilDone /> : null}
      <p className="text-dim">
        <TextLink to="/mail">Mail Management</TextLink> /{" "}
        {details.list ? (
          <>
            list{" "}
            <Link to={`/bulk/${details.list.id}`} className="link [overflow-wrap:anywhere]">
              {details.list.name}
            </Link>{" "}
            /{" "}
          </>
        ) : null}
        piece <span className="wire [overflow-wrap:anywhere] max-sm:block">{details.id}</span>
      </p>
      <div className="mt-1 mb-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-title [overflow-wrap:anywhere]">{details.title}</h1>
        <Badge tone={details.shown.tone}>{details.shown.word}</Badge>
        <Actions details={details} />
      </div>
      <p className="mt-2 mb-4 max-w-prose" aria-live="polite">
        {details.mail} {details.credits}
        {isOpen(details.state) && !details.isErased ? <strong> {details.repeatRisk}</strong> : null}
      </p>
      <div className="mb-4 grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden">
        {erased ? <Notice tone="info">{erased}</Notice> : null}
        <FlashNotice flash={failure ? null : flash} />
        <ProblemNotice>
          {failure && [failure.message, failure.details].filter(Boolean).join(" ")}
        </ProblemNotice>
        {question !== null && details.piece?.cancellable && may("send:live") ? (
          <ConfirmForm
            title="Cancel this piece?"
            message={question}
            fields={{ intent: "cancel" }}
            confirmLabel="Cancel Mail"
            cancelTo={address}
            cancelLabel="Keep it"
            action={address}
          />
        ) : null}
      </div>
      {details.state === "needs_review" ? (
        mayDecide ? (
          <Decision details={details} />
        ) : (
          <p className="mb-6 text-dim">Only admins can decide whether it was mailed. Ask one of them.</p>
        )
      ) : null}
      {details.retried && mayDecide ? <EndRetries /> : null}
      {details.piece ? <Steps piece={details.piece} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 md:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_minmax(0,1.1fr)]">
        <PiecePart details={details} />
        <TimelineList events={details.events} />
        <MoneyPart details={details} />
      </div>
      <WireParts details={details} />
    </div>
  );
}

function Actions({ details }: { details: PieceDetails }) {
  const { piece, isErased, repeatRisk } = details;
  const may = useMay();
  return (
    <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      {piece?.cancellable && may("send:live") ? (
        <Link to="?cancel=ask" preventScrollReset className={`button ${piece.tooLate ? "button-quiet" : ""}`}>
          Cancel Mail
        </Link>
      ) : null}
      {piece?.refreshable ? (
        <Form method="post" preventScrollReset className="contents">
          <Submit intent="refresh" working="Working...">
            Refresh status
          </Submit>
          {piece.simulatable && may("send:test") ? (
            <Submit intent="simulate" title="The local provider moves this piece on. Nothing is printed.">
              Simulate next status
            </Submit>
          ) : null}
        </Form>
      ) : null}
      {isErased || !may("send:test") ? null : (
        <ButtonLink
          to={`/?${new URLSearchParams({ response: details.id, again: "1" })}`}
          title={["Opens this request as a new draft. Nothing is sent.", repeatRisk]
            .filter(Boolean)
            .join(" ")}
        >
          Send again
        </ButtonLink>
      )}
    </span>
  );
}

/** Asks for a decision; the ledger stores each answer with the person's name. */
function Decision({ details }: { details: PieceDetails }) {
  return (
    <Form method="post" className="mb-6 border border-line p-4">
      <h2>Was it mailed?</h2>
      <p className="mt-1 mb-3 max-w-prose text-dim">
        Search the provider's dashboard for the tag{" "}
        <span className="wire [overflow-wrap:anywhere] sm:whitespace-nowrap">mailroom-{details.id}</span>{" "}
        <CopyButton text={`mailroom-${details.id}`} inline subject="tag" />. Your decision is kept with your
        name and cannot be undone.
      </p>
      <div className="flex flex-wrap gap-3">
        <Submit name="decision" intent="mailed">
          Mailed: charge {details.payer}
        </Submit>
        <Submit name="decision" intent="not_mailed">
          Not mailed: release the credits
        </Submit>
      </div>
    </Form>
  );
}

function EndRetries() {
  return (
    <Form method="post" preventScrollReset className="mb-6 border border-line p-4">
      <h2>No longer wanted?</h2>
      <p className="mt-1 mb-3 max-w-prose text-dim">
        If the first try did not reach the provider, it is sent again with the same key. You can stop that.
        Then it is only looked for, and its credits come back if the provider does not have it.
      </p>
      <Submit intent="give-up" working="Working...">
        Do not send again
      </Submit>
    </Form>
  );
}
