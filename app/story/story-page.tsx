import { Form, Link, useNavigation } from "@remix-run/react";
import type { Flash } from "~/platform/http/flash.server";
import type { Failure } from "~/platform/outcome";
import { Badge } from "~/ui/badge";
import { ConfirmForm } from "~/ui/confirm-form";
import { JsonTree } from "~/ui/json-tree";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { PollUntilDone } from "~/ui/poll-until-done";
import { Cell, Head, Row, Table } from "~/ui/table";
import { ADMINS_DECIDE, RECORDS_AGREE, STATE_WORDS } from "./messages";
import type { Story, StoryEvent } from "./story";
import { ProviderPdf, Steps } from "./story-piece";

/** The page of one piece: what happened to the mail and to the credits, and how we know. */
export function StoryPage({
  story,
  question,
  flash,
  failure,
  mayDecide,
}: {
  story: Story;
  /** What a cancel would do, where it is asked for. */
  question: string | null;
  flash: Flash | null;
  /** Why the last form was not carried out. */
  failure: Failure | null;
  /** Only admins decide. */
  mayDecide: boolean;
}) {
  const { word, tone } = STATE_WORDS[story.state];
  return (
    <div className="mx-auto w-full max-w-[1180px] px-4 py-6">
      {story.checking ? <PollUntilDone /> : null}
      <p className="text-dim">
        <Link to="/mail" className="link">
          Mail Management
        </Link>{" "}
        / piece <span className="wire [overflow-wrap:anywhere]">{story.id}</span>
      </p>
      <div className="mt-1 mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-title [overflow-wrap:anywhere]">{story.title}</h1>
        <Badge tone={tone}>{word}</Badge>
        <Actions story={story} />
      </div>
      {story.piece ? <Steps piece={story.piece} /> : null}
      {flash || failure ? (
        <div className="mb-4">
          <Notice tone={failure ? "bad" : (flash?.tone ?? "ok")} urgent>
            {failure ? [failure.message, failure.details].filter(Boolean).join(" ") : flash?.message}
          </Notice>
        </div>
      ) : null}
      {question !== null && story.piece?.cancellable ? (
        <div className="mb-4">
          <ConfirmForm
            title="Cancel this piece?"
            message={question}
            fields={{ intent: "cancel" }}
            confirmLabel="Cancel Mail"
            cancelTo={`/sends/${encodeURIComponent(story.id)}`}
            cancelLabel="Keep it"
            action={`/sends/${encodeURIComponent(story.id)}`}
          />
        </div>
      ) : null}
      <div className="mb-6" aria-live="polite">
        <Notice tone={tone === "neutral" ? "info" : tone}>
          {story.mail} {story.credits}
        </Notice>
      </div>
      {story.tested ? (
        <p className="-mt-4 mb-6 text-dim">
          Sent from the test of <Moment at={story.tested.at} absolute />
          {story.tested.price === null ? "" : `, provider's price ${story.tested.price}`}. Nothing else was
          changed.
        </p>
      ) : null}
      {story.pdf ? <ProviderPdf src={story.pdf} /> : null}
      {story.state === "needs_review" ? (
        mayDecide ? (
          <Decision story={story} />
        ) : (
          <p className="mb-6 text-dim">{ADMINS_DECIDE}</p>
        )
      ) : null}
      {story.retried && mayDecide ? <EndRetries /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)]">
        <Events events={story.events} />
        <Money story={story} />
        <Wire story={story} />
      </div>
    </div>
  );
}

/** What can be done with this piece. */
function Actions({ story }: { story: Story }) {
  const { stored, piece } = story;
  const busy = useNavigation().formMethod === "POST";
  return (
    <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      {stored ? (
        <>
          <Link to={stored} className="button">
            Stored response
          </Link>
          <Link to={`/?response=${encodeURIComponent(story.id)}`} className="button">
            Open in Builder
          </Link>
        </>
      ) : null}
      {piece?.refreshable ? (
        <Form method="post" preventScrollReset>
          <button type="submit" name="intent" value="refresh" className="button" disabled={busy}>
            {busy ? "Working..." : "Refresh status"}
          </button>
        </Form>
      ) : null}
      {piece?.cancellable ? (
        <Link to="?cancel=ask" preventScrollReset className="button">
          Cancel Mail
        </Link>
      ) : null}
    </span>
  );
}

/** For a piece that needs a decision: each answer is kept in the ledger with the name of who gave it. */
function Decision({ story }: { story: Story }) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" className="mb-6 border border-line p-4">
      <h2>Was it mailed?</h2>
      <p className="mt-1 mb-3 max-w-prose text-dim">
        Search the provider's dashboard for the tag <span className="wire">mailroom-{story.id}</span>. Your
        decision is kept with your name and cannot be undone.
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="submit" name="decision" value="mailed" className="button" disabled={busy}>
          Mailed: charge {story.payer}
        </button>
        <button type="submit" name="decision" value="not_mailed" className="button" disabled={busy}>
          Not mailed: release the credits
        </button>
      </div>
    </Form>
  );
}

/** For a piece that is being checked: it may be sent again until then, with the same key. */
function EndRetries() {
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" preventScrollReset className="mb-6 border border-line p-4">
      <h2>Not wanted any more?</h2>
      <p className="mt-1 mb-3 max-w-prose text-dim">
        If the first try did not reach the provider, it is sent again with the same key. You can stop that.
        Then it is only looked for, and its credits come back if the provider does not have it.
      </p>
      <button type="submit" name="intent" value="give-up" className="button" disabled={busy}>
        {busy ? "Working..." : "Do not send again"}
      </button>
    </Form>
  );
}

function Events({ events }: { events: StoryEvent[] }) {
  const dot = { plain: "bg-accent", ok: "bg-ok", warn: "bg-warn", bad: "bg-live" };
  return (
    <section aria-labelledby="story-events">
      <h2 id="story-events" className="mb-3">
        What happened
      </h2>
      <ol className="grid gap-3 border-line border-l pl-4">
        {events.map((event) => (
          <li key={`${event.at.iso} ${event.text} ${event.by}`} className="relative">
            <span
              aria-hidden
              className={`-left-[21px] absolute top-1.5 size-[9px] rounded-full ${dot[event.tone]}`}
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

function Money({ story }: { story: Story }) {
  return (
    <section aria-labelledby="story-money">
      <h2 id="story-money" className="mb-3">
        Money
      </h2>
      <p className="mb-2 text-dim [overflow-wrap:anywhere]">
        Paid by {story.payer}
        {story.purchase ? ` from ${story.purchase}` : ""}.
      </p>
      <Table
        label="Credits of this piece"
        narrow
        head={
          <>
            <Head>What</Head>
            <Head numeric>Credits</Head>
            <Head numeric>Balance after</Head>
          </>
        }
      >
        {story.money.map((row) => (
          <Row key={row.id ?? "hold"}>
            <Cell>
              {row.what}
              {row.id === null ? null : <span className="text-dim"> #{row.id}</span>}
            </Cell>
            <Cell numeric>{row.change}</Cell>
            <Cell numeric>{row.balance ?? ""}</Cell>
          </Row>
        ))}
      </Table>
      {story.disagreements ? (
        <div className="mt-4">
          <Agreement faults={story.disagreements} />
        </div>
      ) : null}
    </section>
  );
}

function Agreement({ faults }: { faults: string[] }) {
  if (faults.length === 0) {
    return <Notice tone="ok">{RECORDS_AGREE}</Notice>;
  }
  return (
    <Notice tone="bad" title="The records do not agree.">
      {faults.join(" ")} Run <span className="wire">npm run verify-ledger</span> and compare with the
      provider's dashboard.
    </Notice>
  );
}

function Wire({ story }: { story: Story }) {
  const { request, answer } = story;
  return (
    <section aria-labelledby="story-request" className="min-w-0">
      <h2 id="story-request" className="mb-3">
        Request as sent
      </h2>
      <p className="wire [overflow-wrap:anywhere]">
        <strong>{request.method}</strong> {request.url}
      </p>
      <dl className="wire my-3 grid gap-1">
        {request.headers.map(([name, value]) => (
          <div key={name} className="[overflow-wrap:anywhere]">
            <dt className="json-key inline">{name}:</dt> <dd className="inline">{value}</dd>
          </div>
        ))}
      </dl>
      <WireText text={request.body} />
      <h2 className="mt-6 mb-3">Answer</h2>
      {answer === null ? (
        <p className="text-dim">The provider's answer was not received.</p>
      ) : (
        <>
          <p className="wire mb-2">Status {answer.status}</p>
          <WireText text={answer.text} />
        </>
      )}
    </section>
  );
}

function WireText({ text }: { text: string }) {
  try {
    return (
      <div className="border border-line bg-sunken">
        <JsonTree value={JSON.parse(text)} />
      </div>
    );
  } catch {
    return <pre className="wire whitespace-pre-wrap [overflow-wrap:anywhere]">{text.slice(0, 20_000)}</pre>;
  }
}
