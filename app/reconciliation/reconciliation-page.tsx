import { Form, Link, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { RefreshAll } from "~/mail/refresh-all";
import { formatStatus } from "~/pieces/status";
import type { Flash } from "~/platform/http/flash.server";
import { Badge } from "~/ui/badge";
import { Absent } from "~/ui/fact";
import { FilterInput } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import { FlashNotice, Notice, ProblemNotice } from "~/ui/notice";
import type { FindingRow, ReconciliationView } from "./reconciliation-view.server";

export function ReconciliationPage({ view, flash }: { view: ReconciliationView; flash: Flash | null }) {
  const { period, limitSeconds, months, daily, problem, result } = view;
  const comparing = useNavigation().formAction === "/mail/reconciliation";
  return (
    <div className="page">
      <header className="grid gap-1">
        <p className="text-dim">
          <TextLink to="/mail">Mail Management</TextLink> / reconciliation
        </p>
        <h1 className="text-title">Reconciliation</h1>
        <p className="max-w-prose text-dim print:hidden">
          Compares what was charged here with the pieces the provider lists, and purchases with Stripe. No
          credits are changed. It may take up to {limitSeconds} s.
        </p>
      </header>
      <Form
        // The fields are uncontrolled: another address needs a fresh form.
        key={`${period.from} ${period.to}`}
        method="post"
        action="/mail/reconciliation"
        aria-label="Days"
        className="flex flex-wrap items-end gap-3 print:hidden"
      >
        <FilterInput required type="date" name="from" label="From" value={period.from} />
        <FilterInput required type="date" name="to" label="To (UTC)" value={period.to} />
        <button type="submit" className="button button-primary" disabled={comparing}>
          Compare
        </button>
        {months.map(({ name, to }) => (
          <Link key={to} to={to} className="link py-1.5">
            {name}
          </Link>
        ))}
        {result ? (
          <button type="button" className="button needs-script" onClick={() => window.print()}>
            Print this statement
          </button>
        ) : null}
      </Form>
      {comparing ? <Waiting limitSeconds={limitSeconds} /> : null}
      <FlashNotice flash={flash} />
      <ProblemNotice>{problem}</ProblemNotice>
      <div aria-busy={comparing} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {result ? (
          <p className="hidden print:block">
            {period.from} to {period.to} (UTC)
          </p>
        ) : null}
        {result ? <ReconciliationResult result={result} /> : null}
      </div>
      {daily.length > 0 ? <Daily runs={daily} /> : null}
    </div>
  );
}

const DAILY_WORDS = { ok: "agrees", bad: "differs", warn: "incomplete" };

function Daily({ runs }: { runs: ReconciliationView["daily"] }) {
  return (
    <section aria-labelledby="daily" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="daily">Compared once a day</h2>
      <Table label="Daily runs" narrow head={["When (UTC)", "Compared", "Result"]}>
        {runs.map(({ key, title, at, result, tone }) => (
          <Row key={key}>
            <MomentCell at={at} absolute />
            <Cell wraps="name">{title}</Cell>
            <Cell wraps="name">
              <Badge tone={tone}>{DAILY_WORDS[tone]}</Badge> {tone === "ok" ? null : result}
            </Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
}

/** Counts the seconds, because the provider's time is not known. */
function Waiting({ limitSeconds }: { limitSeconds: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (seconds === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress aria-label="Comparing" className="h-1.5 w-32" />
      <span role="status">Fetching the provider's list...</span>
      <span aria-hidden className="text-dim tabular-nums">
        {seconds} s of at most {limitSeconds}
      </span>
    </div>
  );
}

type Result = NonNullable<ReconciliationView["result"]>;

/** The result of a comparison: the statement, foreign pieces, differences, and late statuses. */
function ReconciliationResult({ result }: { result: Result }) {
  const { tone, summary, statement, baseUrls, payments, foreign, groups, behind } = result;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Notice tone={tone} urgent>
          {summary}
        </Notice>
        <Statement lines={statement} />
        <ul className="grid gap-0.5 text-dim">
          {baseUrls.map(({ label, url, pieces, problem }) => (
            <li key={label} className="[overflow-wrap:anywhere]">
              {label} <span className="wire">{url}</span>:{" "}
              {problem === null || pieces > 0 ? `${pieces} pieces listed. ` : ""}
              {problem}
            </li>
          ))}
          {payments ? <li>Stripe: {payments}</li> : null}
        </ul>
      </div>
      <Part part={foreign}>
        <p className="mb-1 text-dim">
          Sent from the provider's dashboard or by another program. No one is charged for them here.
        </p>
        <Foreign rows={foreign.rows} />
      </Part>
      {groups.map((group) => (
        <Part key={group.title} part={group}>
          <ul>
            {group.rows.map((finding) => (
              <FindingLine key={finding.key} finding={finding} />
            ))}
          </ul>
        </Part>
      ))}
      {behind.count > 0 ? <BehindPart part={behind} /> : null}
    </>
  );
}

function Statement({ lines }: { lines: Result["statement"] }) {
  return (
    <Table
      label="Statement"
      narrow
      head={["Statement", { numeric: "Here" }, { numeric: "There" }, { numeric: "Difference" }]}
    >
      {lines.map(({ what, ours, theirs, difference }) => (
        <Row key={what}>
          <Cell>{what}</Cell>
          <Cell numeric>{ours}</Cell>
          <Cell numeric>{theirs}</Cell>
          <Cell numeric>{difference}</Cell>
        </Row>
      ))}
    </Table>
  );
}

/** A section of the result; nothing when it is empty. */
function Part({
  part,
  children,
}: {
  part: Result["foreign"] | Result["groups"][number];
  children: ReactNode;
}) {
  const { title, count, rows } = part;
  if (count === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="border-line border-b pb-1">
        {title} <span className="font-normal text-dim tabular-nums">{count}</span>
      </h2>
      <div className="pt-1">{children}</div>
      {count > rows.length ? (
        <p className="pt-2 text-dim">
          The first {rows.length} of {count} are shown; choose fewer days to see the rest.
        </p>
      ) : null}
    </section>
  );
}

function FindingLine({ finding: { title, sentAt, id, what, next, link } }: { finding: FindingRow }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b py-2">
      <div className="min-w-60 flex-1 [overflow-wrap:anywhere]">
        <p className="font-semibold">{title}</p>
        <p>{what}</p>
        <p className="text-dim">{next}</p>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-4 text-dim">
        {sentAt ? (
          <span>
            sent <Moment at={sentAt} absolute />
          </span>
        ) : null}
        {id === null ? null : <span className="wire [overflow-wrap:anywhere]">{id}</span>}
        {link ? (
          <Link to={link.to} className="link text-ink">
            {link.text}
          </Link>
        ) : null}
      </p>
    </li>
  );
}

function BehindPart({ part: { title, count, rows } }: { part: Result["behind"] }) {
  return (
    <details>
      <summary className="border-line border-b pb-1">
        <h2 className="inline">
          {title} <span className="font-normal text-dim tabular-nums">{count}</span>
        </h2>
      </summary>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-dim">
        <span>Charges are correct.{count > rows.length ? ` The first ${rows.length} are shown.` : ""}</span>
        <RefreshAll items={rows.map(({ id }) => id)} />
      </div>
      <ul>
        {rows.map(({ id, title: name, mailId, here, there, tone }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b py-2">
            <span className="min-w-60 flex-1 [overflow-wrap:anywhere]">{name}</span>
            <span>
              {formatStatus(here)} here, <Badge tone={tone}>{formatStatus(there)}</Badge> there
            </span>
            <span className="text-dim">
              mail ID <span className="wire">{mailId}</span>
            </span>
            <TextLink to={`/sends/${encodeURIComponent(id)}`}>View piece</TextLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Foreign({ rows }: { rows: Result["foreign"]["rows"] }) {
  return (
    <Table
      label="Pieces not from Mailroom"
      head={["Created", "Mail ID", "Type", "Status", { numeric: "Cost" }, "Tags"]}
    >
      {rows.map((row) => (
        <Row key={row.key}>
          <MomentCell at={row.createdAt} absolute />
          <Cell>
            <span className="wire [overflow-wrap:anywhere]">{row.mailId}</span>
          </Cell>
          <Cell>{row.type || <Absent why="not named" />}</Cell>
          <Cell>
            {row.status ? (
              <Badge tone={row.tone}>{formatStatus(row.status)}</Badge>
            ) : (
              <Absent why="not named" />
            )}
          </Cell>
          <Cell numeric>{row.cost}</Cell>
          <Cell wraps="name">{row.tags}</Cell>
        </Row>
      ))}
    </Table>
  );
}
