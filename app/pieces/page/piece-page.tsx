import { Form, Link, useNavigation } from "@remix-run/react";
import type { Flash } from "~/platform/http/flash.server";
import type { Failure } from "~/platform/outcome";
import { Badge } from "~/ui/badge";
import { ConfirmForm } from "~/ui/confirm-form";
import { CopyButton } from "~/ui/copy-button";
import { ButtonLink, TextLink } from "~/ui/links";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import { PollUntilDone } from "~/ui/poll-until-done";
import { Submit } from "~/ui/submit";
import { isOpen } from "../states";
import { formatStatus } from "../status";
import type { ProviderPiece } from "./at-provider";
import type { PieceDetails } from "./load-details.server";
import { MoneyPart } from "./money-part";
import type { TimelineEvent } from "./timeline.server";
import { WireParts } from "./wire-parts";

/** Shows one piece: what happened to the mail and to the credits. */
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
  /** The reason why the last form failed. */
  failure: Failure | null;
  /** Only admins decide. */
  mayDecide: boolean;
}) {
  const may = useMay();
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
      {erased ? (
        <div className="mb-4">
          <Notice tone="info">{erased}</Notice>
        </div>
      ) : null}
      {flash || failure ? (
        <div className="mb-4">
          <Notice tone={failure ? "bad" : (flash?.tone ?? "ok")} urgent>
            {failure ? [failure.message, failure.details].filter(Boolean).join(" ") : flash?.message}
          </Notice>
        </div>
      ) : null}
      {question !== null && details.piece?.cancellable && may("send:live") ? (
        <div className="mb-4">
          <ConfirmForm
            title="Cancel this piece?"
            message={question}
            fields={{ intent: "cancel" }}
            confirmLabel="Cancel Mail"
            cancelTo={`/sends/${encodeURIComponent(details.id)}`}
            cancelLabel="Keep it"
            action={`/sends/${encodeURIComponent(details.id)}`}
          />
        </div>
      ) : null}
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

/** Shows the actions on this piece. */
function Actions({ details }: { details: PieceDetails }) {
  const { piece, isErased, repeatRisk } = details;
  const busy = useNavigation().formMethod === "POST";
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
            <button
              type="submit"
              name="intent"
              value="simulate"
              className="button"
              title="The local provider moves this piece on. Nothing is printed."
              disabled={busy}
            >
              Simulate next status
            </button>
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

/** Offers to end the retries of a piece that is being checked. */
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

/** Shows the steps of a piece and marks the current one. */
function Steps({ piece }: { piece: ProviderPiece }) {
  const { tone } = piece;
  return (
    <section aria-label="Progress" className="scrolls relative mb-6">
      <ol className="flex">
        {piece.steps.map(({ status, at, reached }) => (
          <li
            key={status}
            aria-current={status === piece.status ? "step" : undefined}
            className={`flex-1 border-t-3 py-1.5 pr-3 max-sm:min-w-0 max-sm:basis-0 max-sm:pr-1.5 max-sm:text-small sm:min-w-max ${reached ? STEP_LINES[tone] : "border-line text-dim"}`}
          >
            <span className={`block sm:whitespace-nowrap ${status === piece.status ? "font-semibold" : ""}`}>
              {formatStatus(status)}
              <span className="sr-only">{reached ? "" : ", not yet"}</span>
            </span>
            <span className="block text-small text-dim">{at ? <Moment at={at} /> : null}</span>
          </li>
        ))}
      </ol>
      <p className="text-dim">{piece.meaning}</p>
    </section>
  );
}

const STEP_LINES = { warn: "border-warn", ok: "border-ok", bad: "border-live", neutral: "border-edge" };

/** Shows the provider's PDF, front and back of a postcard. */
function PiecePart({ details: { id, pdf, piece, type } }: { details: PieceDetails }) {
  return (
    <section aria-labelledby="details-piece">
      <h2 id="details-piece" className="mb-3">
        Piece
      </h2>
      {pdf.url ? (
        <>
          <div className="needs-script mb-2 max-h-[70vh] overflow-auto bg-sunken p-2">
            <PdfPages
              src={pdf.url}
              subject="The piece"
              names={type === "postcard" ? ["Front", "Back"] : []}
              landscape={type === "postcard"}
            />
          </div>
          <a href={pdf.url} target="_blank" rel="noreferrer" className="link">
            Open the PDF
          </a>
        </>
      ) : (
        <p className="text-dim">{pdf.missing}</p>
      )}
      {piece ? (
        <a href={`/sends/${encodeURIComponent(id)}/proof.pdf`} className="link mt-1 block w-fit">
          Open the proof of mailing
        </a>
      ) : null}
    </section>
  );
}

const DOTS = { plain: "bg-accent", ok: "bg-ok", warn: "bg-warn", bad: "bg-live" };

/** Lists everything that happened to a piece, oldest first. */
function TimelineList({ events }: { events: TimelineEvent[] }) {
  return (
    <section aria-labelledby="details-events">
      <h2 id="details-events" className="mb-3">
        What happened
      </h2>
      <ol className="ml-1 grid gap-3 border-line border-l pl-4">
        {events.map((event) => (
          <li key={`${event.at.iso} ${event.text} ${event.by}`} className="relative">
            <span
              aria-hidden
              className={`left-[calc(-1rem-5px)] absolute top-1.5 size-[9px] rounded-full ${DOTS[event.tone]}`}
            />
            <p className="[overflow-wrap:anywhere]">{event.text}</p>
            <p className="text-dim">
              <Moment at={event.at} absolute />
              {event.by ? ` · ${event.by}` : ""}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
