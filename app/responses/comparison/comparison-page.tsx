import { Link } from "@remix-run/react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { TextLink } from "~/ui/links";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { StatusCodeBadge } from "../tab/badges";
import type { ResponseView } from "../tab/stored-view.server";
import type { ComparisonPart } from "./compare-parts.server";
import type { Comparison } from "./comparison.server";
import type { DiffRow } from "./json-diff";

const KINDS = {
  changed: { label: "changed", tone: "warn" },
  added: { label: "new", tone: "ok" },
  removed: { label: "gone", tone: "bad" },
  same: { label: "same", tone: "neutral" },
} as const;

interface ComparisonPageProps {
  comparison: Comparison | null;
  /** The reason why nothing can be compared. */
  problem: string | null;
}

export function ComparisonPage({ comparison, problem }: ComparisonPageProps) {
  return (
    <div className="page py-6">
      <div>
        <p className="text-dim">
          <TextLink to="/stored">Stored Responses</TextLink>
        </p>
        <h1 className="mt-1 text-title">Compare two responses</h1>
      </div>
      {problem ? <Notice tone="warn">{problem}</Notice> : null}
      {comparison ? (
        <>
          <div className="grid gap-x-8 gap-y-3 border-line border-y py-3 sm:grid-cols-2">
            <Side name="A, older" row={comparison.a} />
            <Side name="B, newer" row={comparison.b} />
          </div>
          {comparison.parts.map((part) => (
            <Part key={part.title} part={part} />
          ))}
        </>
      ) : null}
    </div>
  );
}

function Side({ name, row }: { name: string; row: ResponseView }) {
  return (
    <div className="min-w-0">
      <h2 className="flex flex-wrap items-baseline gap-x-2 font-normal">
        <span className="font-semibold">{name}</span>
        <span className="wire font-semibold">{row.method}</span>
        <Link to={`/stored/${row.id}`} className="wire link min-w-0 [overflow-wrap:anywhere]">
          {row.path}
        </Link>
        <StatusCodeBadge status={row.status} refused={row.isRefused} />
      </h2>
      <p className="text-dim [overflow-wrap:anywhere]">
        <bdi>{row.user}</bdi> · <Moment at={row.at} absolute /> UTC
      </p>
    </div>
  );
}

function Part({ part: { title, different, same } }: { part: ComparisonPart }) {
  const { rows, hidden } = different;
  const expected = rows.filter((row) => row.volatile).length;
  const relevant = rows.length + hidden - expected;
  const count = relevant === 0 ? "no differences" : formatCount(relevant, "difference");
  return (
    <section aria-label={title}>
      <h2 className="flex flex-wrap items-baseline gap-x-3 pb-1">
        {title}
        <span className="font-normal text-dim">
          {expected === 0 ? count : `${count}, ${expected} expected`}
        </span>
      </h2>
      {rows.length > 0 ? <Rows label={`${title}: what differs`} rows={rows} /> : null}
      {hidden > 0 ? (
        <p className="py-2 text-dim">
          {formatInteger(hidden)} more {hidden === 1 ? "difference is" : "differences are"} not shown.
        </p>
      ) : null}
      {same.rows.length > 0 ? (
        <details className="mt-2">
          <summary className="link w-fit text-dim">
            {formatInteger(same.rows.length + same.hidden)} unchanged
          </summary>
          <dl className="wire mt-2 grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-dim">
            {[...same.rows.entries()].map(([index, row]) => (
              <div key={index} className="contents">
                <dt className="max-w-[24rem] [overflow-wrap:anywhere]">{row.path || "whole value"}</dt>
                <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{row.after}</dd>
              </div>
            ))}
          </dl>
          {same.hidden > 0 ? (
            <p className="py-2 text-dim">{formatInteger(same.hidden)} more are not shown.</p>
          ) : null}
        </details>
      ) : null}
    </section>
  );
}

const COLUMNS =
  "md:grid-cols-[minmax(0,2fr)_7rem_minmax(0,3fr)_minmax(0,3fr)] md:gap-x-5 grid gap-y-1 border-line border-b py-1.5";

/** A list, not a table: on a small screen the parts of a row are below each other. */
function Rows({ label, rows }: { label: string; rows: DiffRow[] }) {
  return (
    <>
      <div aria-hidden className={`text-small text-dim max-md:hidden ${COLUMNS}`}>
        <span>Where</span>
        <span>What</span>
        <span>A</span>
        <span>B</span>
      </div>
      <ul aria-label={label}>
        {[...rows.entries()].map(([index, row]) => (
          <li key={index} className={COLUMNS}>
            <span className={`wire [overflow-wrap:anywhere] ${row.volatile ? "text-dim" : ""}`}>
              {row.path || "whole value"}
            </span>
            <span>
              {row.volatile ? (
                <span className="text-dim">expected</span>
              ) : (
                <Badge tone={KINDS[row.kind].tone}>{KINDS[row.kind].label}</Badge>
              )}
            </span>
            <Value name="A" text={row.before} volatile={row.volatile} />
            <Value name="B" text={row.after} volatile={row.volatile} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Value({ name, text, volatile }: { name: string; text: string | null; volatile: boolean }) {
  return (
    <span className={`min-w-0 max-md:flex max-md:gap-2 ${volatile || text === null ? "text-dim" : ""}`}>
      <span className="text-dim md:sr-only">{name}: </span>
      {text === null ? (
        "nothing"
      ) : (
        <span className="wire min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</span>
      )}
    </span>
  );
}
