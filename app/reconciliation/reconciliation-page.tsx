import { Form, Link, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Flash } from "~/platform/http/flash.server";
import { Badge } from "~/ui/badge";
import { FilterInput } from "~/ui/filter-field";
import { FlashNotice } from "~/ui/flash-notice";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import { ProblemNotice } from "~/ui/notice";
import { ReconciliationResult } from "./reconciliation-result";
import type { ReconciliationView } from "./reconciliation-view.server";

export function ReconciliationPage({ view, flash }: { view: ReconciliationView; flash: Flash | null }) {
  const { period, limitSeconds, months, daily, problem, result } = view;
  const comparing = useNavigation().formAction === "/mail/reconciliation";
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4">
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
            <Cell>
              <Moment at={at} absolute />
            </Cell>
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
      <span role="status">Asking the provider for its list...</span>
      <span aria-hidden className="text-dim tabular-nums">
        {seconds} s of at most {limitSeconds}
      </span>
    </div>
  );
}
