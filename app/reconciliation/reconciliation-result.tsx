import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { PieceStatusBadge } from "~/mail/piece-status-badge";
import { RefreshAll } from "~/mail/refresh-all";
import { formatStatus } from "~/pieces/status";
import { Absent } from "~/ui/fact";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import type { FindingRow, ReconciliationView } from "./reconciliation-view.server";

type Result = NonNullable<ReconciliationView["result"]>;

/** The result of a comparison: the statement, foreign pieces, differences, and late statuses. */
export function ReconciliationResult({ result }: { result: Result }) {
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
            <li key={url} className="[overflow-wrap:anywhere]">
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

/** Our books beside the others'. */
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
          <Cell numeric>{difference ?? "—"}</Cell>
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
        <span>The money is right.{count > rows.length ? ` The first ${rows.length} are shown.` : ""}</span>
        <RefreshAll items={rows.map(({ id }) => id)} />
      </div>
      <ul>
        {rows.map(({ id, title: name, mailId, here, there, tone }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b py-2">
            <span className="min-w-60 flex-1 [overflow-wrap:anywhere]">{name}</span>
            <span>
              {formatStatus(here)} here, <PieceStatusBadge status={there} tone={tone} /> there
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
          <Cell>
            <Moment at={row.createdAt} absolute />
          </Cell>
          <Cell>
            <span className="wire [overflow-wrap:anywhere]">{row.mailId}</span>
          </Cell>
          <Cell>{row.type || <Absent why="not named" />}</Cell>
          <Cell>
            {row.status ? (
              <PieceStatusBadge status={row.status} tone={row.tone} />
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
