import { Form, Link, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { PieceStatusBadge } from "~/mail/piece-status-badge";
import { Badge } from "~/ui/badge";
import { FilterInput } from "~/ui/filter-field";
import { Cell, Head, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import type { BehindRow, FindingRow, ReconciliationView } from "./reconciliation-view";

type Result = NonNullable<ReconciliationView["result"]>;

/** Compares what was charged here with what the provider has. */
export function ReconciliationPage({ view }: { view: ReconciliationView }) {
  const { period, limitSeconds, daily, problem, result } = view;
  const comparing = useNavigation().formAction === "/mail/reconciliation";
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4">
      <header className="grid gap-1">
        <p className="text-dim">
          <Link to="/mail" className="link">
            Mail Management
          </Link>{" "}
          / reconciliation
        </p>
        <h1 className="text-title">Reconciliation with the provider</h1>
        <p className="max-w-prose text-dim">
          Compares what was charged here with the pieces the provider lists. No credits are changed. It may
          take up to {limitSeconds} s.
        </p>
      </header>
      <Form
        // The fields are uncontrolled: another address needs a fresh form.
        key={`${period.from} ${period.to}`}
        method="post"
        action="/mail/reconciliation"
        aria-label="Days"
        className="flex flex-wrap items-end gap-3"
      >
        <FilterInput required type="date" name="from" label="From" value={period.from} />
        <FilterInput required type="date" name="to" label="To (UTC)" value={period.to} />
        <button type="submit" className="button button-primary" disabled={comparing}>
          Compare
        </button>
      </Form>
      {comparing ? <Waiting limitSeconds={limitSeconds} /> : null}
      {problem ? (
        <Notice tone="bad" urgent>
          {problem}
        </Notice>
      ) : null}
      <div aria-busy={comparing} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {result ? <Findings result={result} /> : null}
      </div>
      {daily.length > 0 ? <Daily runs={daily} /> : null}
    </div>
  );
}

const DAILY_WORDS = { ok: "agrees", bad: "differs", warn: "incomplete" };

/** The automatic comparison and its last result. */
function Daily({ runs }: { runs: ReconciliationView["daily"] }) {
  return (
    <section aria-labelledby="daily" className="grid gap-2">
      <h2 id="daily" className="border-line border-b pb-1">
        Compared once a day
      </h2>
      <ul className="grid gap-1">
        {runs.map(({ name, title, at, result, tone }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3">
            <span className="font-semibold">{title}</span>
            <Badge tone={tone}>{DAILY_WORDS[tone]}</Badge>
            <span>{result}</span>
            <span className="text-dim">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Counts the seconds; how long the provider takes is not known. */
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
      <span role="status">Asking the provider for its list...</span>
      <span aria-hidden className="text-dim tabular-nums">
        {seconds} s of at most {limitSeconds}
      </span>
    </div>
  );
}

function Findings({ result }: { result: Result }) {
  const { tone, summary, baseUrls, groups, behind, behindCount, foreign, foreignCount } = result;
  return (
    <>
      <div className="grid gap-2">
        <Notice tone={tone} urgent>
          {summary}
        </Notice>
        <ul className="grid gap-0.5 text-dim">
          {baseUrls.map(({ label, url, pieces, problem }) => (
            <li key={url} className="[overflow-wrap:anywhere]">
              {label} <span className="wire">{url}</span>:{" "}
              {problem === null || pieces > 0 ? `${pieces} pieces listed. ` : ""}
              {problem}
            </li>
          ))}
        </ul>
      </div>
      {groups.map(({ title, count, findings }) => (
        <Part key={title} title={title} count={count} shown={findings.length}>
          <ul>
            {findings.map((finding) => (
              <FindingLine key={finding.key} finding={finding} />
            ))}
          </ul>
        </Part>
      ))}
      {behindCount > 0 ? (
        <Part title="Status not up to date here" count={behindCount} shown={behind.length}>
          <p className="mb-1 text-dim">
            The money is right. Refresh status in Mail Management brings these up to date.
          </p>
          <ul>
            {behind.map((item) => (
              <BehindLine key={item.id} item={item} />
            ))}
          </ul>
        </Part>
      ) : null}
      {foreignCount > 0 ? (
        <Part title="Not from Mailroom" count={foreignCount} shown={foreign.length}>
          <p className="mb-1 text-dim">
            Sent from the provider's dashboard or by another program. Nobody is charged for them here.
          </p>
          <Foreign rows={foreign} />
        </Part>
      ) : null}
    </>
  );
}

function Part({
  title,
  count,
  shown,
  children,
}: {
  title: string;
  count: number;
  shown: number;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <h2 className="border-line border-b pb-1">
        {title} <span className="font-normal text-dim tabular-nums">{count}</span>
      </h2>
      <div className="pt-1">{children}</div>
      {count > shown ? (
        <p className="pt-2 text-dim">
          The first {shown} of {count} are shown; choose fewer days to see the rest.
        </p>
      ) : null}
    </section>
  );
}

function FindingLine({ finding: { title, sentAt, mailId, what, next, pieceUrl } }: { finding: FindingRow }) {
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
            sent <Moment at={sentAt} />
          </span>
        ) : null}
        <span className="[overflow-wrap:anywhere]">
          mail ID <span className="wire">{mailId ?? "unknown"}</span>
        </span>
        {pieceUrl ? (
          <Link to={pieceUrl} className="link text-ink">
            View piece
          </Link>
        ) : null}
      </p>
    </li>
  );
}

function BehindLine({ item: { id, title, mailId, here, there, tone } }: { item: BehindRow }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b py-2">
      <span className="min-w-60 flex-1 [overflow-wrap:anywhere]">{title}</span>
      <span>
        {here.replaceAll("_", " ")} here, <PieceStatusBadge status={there} tone={tone} /> there
      </span>
      <span className="text-dim">
        mail ID <span className="wire">{mailId}</span>
      </span>
      <Link to={`/sends/${encodeURIComponent(id)}`} className="link">
        View piece
      </Link>
    </li>
  );
}

function Foreign({ rows }: { rows: Result["foreign"] }) {
  return (
    <Table
      label="Pieces not from Mailroom"
      head={
        <>
          <Head>Created</Head>
          <Head>Mail ID</Head>
          <Head>Type</Head>
          <Head>Status</Head>
          <Head numeric>Cost</Head>
          <Head>Tags</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.key}>
          <Cell>
            <Moment at={row.createdAt} />
          </Cell>
          <Cell>
            <span className="wire [overflow-wrap:anywhere]">{row.mailId}</span>
          </Cell>
          <Cell>{row.type || "not named"}</Cell>
          <Cell>
            <PieceStatusBadge status={row.status || "not named"} tone={row.tone} />
          </Cell>
          <Cell numeric>{row.cost}</Cell>
          <Cell wraps="name">{row.tags}</Cell>
        </Row>
      ))}
    </Table>
  );
}
