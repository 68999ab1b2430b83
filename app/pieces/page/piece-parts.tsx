import { Link } from "@remix-run/react";
import { type ReactNode, useMemo } from "react";
import { ledgerAddress } from "~/credits/ledger/transaction";
import { parseJson } from "~/platform/json-value";
import { Fact, Pairs } from "~/ui/fact";
import { JsonView } from "~/ui/json/json-view";
import { ButtonLink, TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { May } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import { formatStatus } from "../status";
import type { PieceDetails } from "./load-details.server";
import type { ItemView, TimelineEvent } from "./piece-view.server";

const STEP_LINES = { warn: "border-warn", ok: "border-ok", bad: "border-live", neutral: "border-edge" };

export function Steps({ piece }: { piece: ItemView }) {
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

export function PiecePart({ details: { id, pdf, piece, type } }: { details: PieceDetails }) {
  return (
    <section aria-label="Piece">
      <h2 className="mb-3">Piece</h2>
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
        <May scope="send:live">
          <a href={`/sends/${encodeURIComponent(id)}/proof.pdf`} className="link mt-1 block w-fit">
            Open the proof of mailing
          </a>
        </May>
      ) : null}
    </section>
  );
}

const DOTS = { plain: "bg-accent", ok: "bg-ok", warn: "bg-warn", bad: "bg-live" };

export function TimelineList({ events }: { events: TimelineEvent[] }) {
  return (
    <section aria-label="What happened">
      <h2 className="mb-3">What happened</h2>
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

export function MoneyPart({ details }: { details: PieceDetails }) {
  const { tested } = details;
  return (
    <section aria-label="Money">
      <h2 className="mb-3">Money</h2>
      <Table
        label="Credits of this piece"
        narrow
        head={["What", { numeric: "Credits" }, { numeric: "Balance after" }]}
      >
        {details.money.map((row) => (
          <Row key={row.id ?? "hold"}>
            <Cell across={row.id === null ? 3 : 1}>
              {row.what}
              {row.id === null ? null : (
                <>
                  {" "}
                  <TextLink to={ledgerAddress(row.id)} title="The row of the ledger">
                    #{row.id}
                  </TextLink>
                </>
              )}
            </Cell>
            {row.id === null ? null : (
              <>
                <Cell numeric>{row.change}</Cell>
                <Cell numeric>{row.balance}</Cell>
              </>
            )}
          </Row>
        ))}
      </Table>
      <dl className="my-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-2 [overflow-wrap:anywhere]">
        <Fact name="Paid by">{details.payer}</Fact>
        {details.purchases.length > 0 ? (
          <Fact name="With">
            {details.purchases.map(({ text, to }) => (
              <Link key={to + text} to={to} className="link block">
                {text}
              </Link>
            ))}
          </Fact>
        ) : null}
        {details.price ? (
          <Fact name="Provider's price">
            <span className="tabular-nums">{details.price}</span>
          </Fact>
        ) : null}
        {tested ? (
          <Fact name="Sent from the test of">
            <Moment at={tested.at} absolute />
            {tested.price === null ? "" : `, quoted ${tested.price}`}
          </Fact>
        ) : null}
      </dl>
      {details.disagreements?.length === 0 ? <Notice tone="ok">All records agree.</Notice> : null}
      {details.disagreements?.length ? (
        <Notice tone="bad" title="The records do not agree.">
          {details.disagreements.join(" ")} Run <span className="wire">npm run verify-ledger</span> and
          compare with the provider's dashboard.
        </Notice>
      ) : null}
    </section>
  );
}

/** Shows request, answer and stored response of a piece, each folded. */
export function WireParts({ details: { request, answer, stored } }: { details: PieceDetails }) {
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] border-line border-t">
      <Folded title="Request" description={`${request.method} ${request.url}`}>
        <div className="mb-3">
          <Pairs rows={request.headers} />
        </div>
        <WireText text={request.body} label="Request body" />
      </Folded>
      <Folded title="Answer" description={answer ? `Status ${answer.status}` : "not received"}>
        {answer === null ? (
          <p className="text-dim">The provider's answer was not received.</p>
        ) : (
          <WireText text={answer.text} label="Answer body" />
        )}
      </Folded>
      {stored ? (
        <Folded title="Stored response" description={stored.tags.join(", ")}>
          <p className="mb-2 text-dim">
            Stored <Moment at={stored.at} absolute />.
          </p>
          <ButtonLink to={stored.url}>Open stored response</ButtonLink>
        </Folded>
      ) : null}
    </div>
  );
}

/** Shows a part that its title opens, also without JavaScript. */
function Folded({
  title,
  description,
  children,
}: {
  title: string;
  description: string;
  children: ReactNode;
}) {
  return (
    <details className="border-line border-b">
      <summary className="py-2.5 hover:bg-sunken">
        <h2 className="inline">{title}</h2>
        {description ? (
          <span className="wire ml-3 text-dim [overflow-wrap:anywhere]">{description}</span>
        ) : null}
      </summary>
      <section aria-label={title} className="px-4 pt-1 pb-4">
        {children}
      </section>
    </details>
  );
}

/** Shows JSON as a tree, any other text as it is. */
function WireText({ text, label }: { text: string; label: string }) {
  const isJson = useMemo(() => parseJson(text) !== undefined, [text]);
  if (!isJson) {
    return <pre className="wire whitespace-pre-wrap [overflow-wrap:anywhere]">{text.slice(0, 20_000)}</pre>;
  }
  return (
    <div className="border border-line bg-sunken">
      <JsonView text={text} label={label} />
    </div>
  );
}
