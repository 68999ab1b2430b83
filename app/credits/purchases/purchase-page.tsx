import { Form } from "@remix-run/react";
import { formatInteger } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { Absent, Fact } from "~/ui/fact";
import { TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { FlashNotice, Notice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import { formatCredits } from "../format-credits";
import { CHECKOUT_STATES } from "./checkout-state";
import type { PurchasePageView } from "./purchase-pages.server";

export function PurchasePage({ view, flash }: { view: PurchasePageView; flash: Flash | null }) {
  return (
    <div className="page gap-5 py-6">
      <div>
        <p className="text-dim">
          <TextLink to="/users">User Credits</TextLink> / <TextLink to="/purchases">Purchases</TextLink>
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-title">{view.title}</h1>
          <PurchaseBadges {...view} />
        </div>
      </div>
      <FlashNotice flash={flash} />
      {view.note ? (
        <Notice tone={view.flag || view.state === "mismatch" ? "bad" : "info"}>{view.note}</Notice>
      ) : null}
      <Facts view={view} />
      {view.reports.length > 0 ? <Reports view={view} /> : null}
      {view.state === "completed" ? <Uses view={view} /> : null}
    </div>
  );
}

export function PurchaseBadges({ state, flag }: Pick<PurchasePageView, "state" | "flag">) {
  return (
    <>
      {[state, ...(flag ? [flag] : [])].map((name) => (
        <Badge key={name} tone={CHECKOUT_STATES[name].tone}>
          {CHECKOUT_STATES[name].word}
        </Badge>
      ))}
    </>
  );
}

function Facts({ view }: { view: PurchasePageView }) {
  const may = useMay()("credits");
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 border-line border-y py-3 md:grid-cols-[max-content_minmax(0,1fr)_max-content_minmax(0,1fr)]">
        <Fact name="For">
          <TextLink to={`/users?${new URLSearchParams({ view: "history", user_id: view.userId })}`}>
            {view.user}
          </TextLink>
        </Fact>
        <Fact name="Bought by">{view.actor}</Fact>
        <Fact name="Ordered">
          <Moment at={view.at} absolute /> UTC
        </Fact>
        <Fact name={view.state === "completed" ? "Paid" : "Ended"}>
          {view.closedAt ? (
            <>
              <Moment at={view.closedAt} absolute /> UTC
            </>
          ) : (
            <Absent why="not yet" />
          )}
        </Fact>
        <Fact name="Price">
          {view.price}, {view.pricePerCredit} per credit
        </Fact>
        <Fact name="Ledger">
          {view.ledger ? (
            <TextLink to={view.ledger.to}>Row {view.ledger.id}</TextLink>
          ) : (
            <Absent why="no credits were added" />
          )}
        </Fact>
        <Fact name="Stripe session">
          <CopyableId id={view.stripeSessionId} subject="Stripe session" />
        </Fact>
        <Fact name="Stripe payment">
          <CopyableId id={view.stripePaymentId} subject="Stripe payment" />
        </Fact>
        <Fact name="Invoice">
          <CopyableId id={view.invoiceNumber} subject="number of the invoice" />
        </Fact>
        <Fact name="Our number">
          <CopyableId id={view.id} subject="number of the purchase" />
        </Fact>
      </dl>
      <div className="flex flex-wrap gap-3">
        {view.state === "completed" ? (
          <a href={`/purchases/${encodeURIComponent(view.id)}/receipt`} className="button">
            Receipt
          </a>
        ) : null}
        {view.flag === "refunded" ? (
          <a href={`/purchases/${encodeURIComponent(view.id)}/receipt?of=refund`} className="button">
            Credit note
          </a>
        ) : null}
        {view.canAsk && may ? (
          <Form method="post">
            <Submit intent="ask">Ask Stripe about it</Submit>
          </Form>
        ) : null}
      </div>
    </div>
  );
}

function CopyableId({ id, subject }: { id: string | null; subject: string }) {
  if (id === null) return <Absent why="not stored" />;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="wire min-w-0 [overflow-wrap:anywhere]">{id}</span>
      <CopyButton text={id} inline subject={subject} />
    </span>
  );
}

function Reports({ view }: { view: PurchasePageView }) {
  return (
    <section aria-labelledby="reports">
      <h2 id="reports" className="mb-2">
        Reported by Stripe
      </h2>
      <ul className="grid gap-2">
        {view.reports.map((report) => (
          <li key={report.id} className="border-line border-b pb-2">
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="font-semibold">{report.title}</span>
              {report.closed ? (
                <span className="text-dim">
                  closed by {report.closed.by}: {report.closed.reason}
                </span>
              ) : (
                <TextLink to="/alarms">Needs a decision</TextLink>
              )}
            </p>
            {report.evidence.map((line) => (
              <p key={`${line.at?.iso} ${line.text}`} className="text-dim [overflow-wrap:anywhere]">
                <Moment at={line.at} absolute /> UTC: {line.text}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Uses({ view }: { view: PurchasePageView }) {
  return (
    <section aria-labelledby="uses">
      <h2 id="uses">What it paid for</h2>
      <p className="mt-1 mb-2 text-dim">
        {formatCredits(view.spent.credits)} spent, {formatInteger(view.left.credits)} left. Credits are spent
        in the order in which they came. Refunded credits are spent last.
      </p>
      {view.uses.length === 0 ? (
        <p className="py-2">None of these credits has been spent yet: older ones are spent first.</p>
      ) : (
        <Table
          label="Pieces and deductions"
          narrow
          rows="keys"
          head={["What", { wideOnly: "When (UTC)" }, { numeric: "Credits" }, { numeric: "Worth" }]}
        >
          {view.uses.map((use) => (
            <Row key={use.ledgerId}>
              <Cell wraps="name">
                <TextLink to={use.to}>{use.what}</TextLink>
                {use.refunded ? <span className="text-dim"> cancelled, credits came back</span> : null}
                <span className="block text-small text-dim lg:hidden">
                  <Moment at={use.at} absolute />
                </span>
              </Cell>
              <MomentCell at={use.at} absolute wideOnly />
              <Cell numeric>{use.credits}</Cell>
              <Cell numeric>{use.worth}</Cell>
            </Row>
          ))}
          {[["Spent", view.spent] as const, ["Left", view.left] as const].map(
            ([name, { credits, worth }]) => (
              <tr key={name} className="font-semibold">
                <Cell>{name}</Cell>
                <Cell wideOnly>{""}</Cell>
                <Cell numeric>{formatInteger(credits)}</Cell>
                <Cell numeric>{worth}</Cell>
              </tr>
            ),
          )}
        </Table>
      )}
    </section>
  );
}
