import { Link } from "@remix-run/react";
import { formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { EmptyState } from "~/ui/empty/empty-state";
import { FilterChoice, FilterForm, FilterInput } from "~/ui/field";
import { Pages, TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { FAILURE_DAYS, LOG_DAYS, logAddress, STATUS_CLASSES } from "./api-log-view";
import type { ApiLogView } from "./load-log.server";

export function ApiLogPage({ view }: { view: ApiLogView }) {
  const { calls, failures } = view;
  return (
    <div className="page py-6">
      <header>
        <h1 className="text-title">API log</h1>
        <p className="max-w-prose text-dim">
          Calls of programs and pages, kept for {LOG_DAYS} days. Bodies, names and addresses are not logged.{" "}
          <TextLink to="/reference">API reference</TextLink>
        </p>
      </header>
      <FilterBar view={view} />
      {failures.length > 0 ? <FailureTable failures={failures} /> : null}
      <div className="grid min-w-0 gap-1">
        <h2>Calls</h2>
        {calls.length === 0 ? (
          <EmptyState drawing="cards">
            {Object.values(view.filter).some((value) => value !== "")
              ? "No calls match this filter. A new call appears within seconds."
              : "No calls yet. Each call appears here within seconds."}
          </EmptyState>
        ) : (
          <CallTable calls={calls} />
        )}
        <Pages newest={view.newest} older={view.older} end={null} />
      </div>
    </div>
  );
}

function FilterBar({ view: { filter, tokens } }: { view: ApiLogView }) {
  return (
    <FilterForm
      values={filter}
      role="search"
      aria-label="Filter calls"
      className="grid items-end gap-x-3 gap-y-2 sm:grid-cols-2 lg:grid-cols-[2fr_1.5fr_1.5fr_auto_auto]"
    >
      <FilterInput wire label="Request ID" type="search" name="id" value={filter.id} maxLength={100} />
      <FilterInput
        wire
        label="Path"
        type="search"
        name="path"
        value={filter.path}
        maxLength={100}
        placeholder="/api/pieces"
      />
      <FilterChoice
        label="Token"
        name="token"
        value={filter.token}
        all="All tokens and pages"
        options={tokens.map(({ id, name }) => [id, name])}
      />
      <FilterInput
        label="Status"
        name="status"
        list="statuses"
        value={filter.status}
        maxLength={3}
        size={6}
        placeholder="4xx"
      />
      <datalist id="statuses">
        {STATUS_CLASSES.map((status) => (
          <option key={status} value={status} />
        ))}
      </datalist>
      <button type="submit" className="button justify-self-start">
        Filter
      </button>
    </FilterForm>
  );
}

function FailureTable({ failures }: { failures: ApiLogView["failures"] }) {
  return (
    <div className="grid min-w-0 gap-1">
      <h2>What fails</h2>
      <p className="text-dim">The last {FAILURE_DAYS} days, by call and reason.</p>
      <Table
        label="What fails"
        head={["Call", "Reason", { numeric: "Count" }, "First", "Last", "Who", { unseen: "Action" }]}
      >
        {failures.map(({ call, status, reason, count, first, last, who, newestId }) => (
          <Row key={`${call} ${status} ${reason}`}>
            <Cell wraps="name">
              <span className="wire">{call}</span>
            </Cell>
            <Cell wraps="name">
              <Badge tone="bad">{status}</Badge> {reason}
            </Cell>
            <Cell numeric>{formatInteger(count)}</Cell>
            <MomentCell at={first} />
            <MomentCell at={last} />
            <Cell wraps="name">{who}</Cell>
            <Cell>
              <Link to={logAddress({ id: newestId })} className="link whitespace-nowrap">
                Open the newest<span className="sr-only"> of {call}</span>
              </Link>
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}

function CallTable({ calls }: { calls: ApiLogView["calls"] }) {
  return (
    <Table label="Calls" head={["Time", "Call", "Status", { numeric: "ms" }, "Who", "Request ID"]}>
      {calls.map(({ id, requestId, at, method, path, about, who, status, durationMs, reason }) => (
        <Row key={id}>
          <MomentCell at={at} />
          <Cell wraps="name">
            <span className="wire">
              {method} {path}
            </span>
            {about ? (
              <span className="wire block text-small">
                {about.href ? (
                  <TextLink to={about.href}>{about.text}</TextLink>
                ) : (
                  <span className="text-dim">{about.text}</span>
                )}
              </span>
            ) : null}
          </Cell>
          <Cell wraps="name">
            <Badge tone={status >= 400 ? "bad" : "ok"}>{status}</Badge>
            {reason ? <span className="block text-small">{reason}</span> : null}
          </Cell>
          <Cell numeric>{formatInteger(durationMs)}</Cell>
          <Cell wraps="name">{who ?? <span className="text-dim">Unknown caller</span>}</Cell>
          <Cell wraps="name">
            <Link to={logAddress({ id: requestId })} className="link wire text-small">
              {requestId}
            </Link>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
