import { Form, Link } from "@remix-run/react";
import { useState } from "react";
import { formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { Absent } from "~/ui/fact";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { useMay } from "~/ui/may";
import { Notice } from "~/ui/notice";
import { Act, Submit } from "~/ui/submit";
import { OPEN_STATES, type ProblemCode } from "../bulk-list";
import { ROW_FILTERS, type RowFilter, rowsAddress } from "./list-view";
import type { ListView } from "./load-list-page.server";
import type { RowEntry, RowForm as RowFormView } from "./load-rows.server";

/** The rows of a list, a page at a time, each with its problem or outcome. */
export function RowsTable({ list }: { list: ListView }) {
  const { counts, filter } = list;
  const visible = (Object.keys(ROW_FILTERS) as RowFilter[]).filter(
    (name) => name === "all" || name === filter || counts[name] > 0,
  );
  const may = useMay();
  const open = may("send:test") && OPEN_STATES.includes(list.state);
  return (
    <section className="min-w-0 border-line border-t pt-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="bulk-rows">Rows</h2>
        <nav aria-label="Rows shown" className="flex flex-wrap gap-x-4">
          {visible.map((name) => (
            <Link
              key={name}
              to={rowsAddress(list, { filter: name })}
              preventScrollReset
              className="tab"
              aria-current={name === filter ? "page" : undefined}
            >
              {ROW_FILTERS[name]}{" "}
              <span
                className={`tabular-nums ${["problem", "warned", "refused"].includes(name) ? "text-warn" : ""}`}
              >
                {formatInteger(counts[name])}
              </span>
            </Link>
          ))}
        </nav>
        <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
          {open && filter === "problem" && counts.problem > 0 ? (
            <Act intent="leave_out_all">{`Leave out all ${formatInteger(counts.problem)}`}</Act>
          ) : null}
          {open && filter === "problem"
            ? list.allowable.map(({ code, count }) => <DecideAll key={code} code={code} count={count} />)
            : null}
          {may("send:live") && filter === "refused" && counts.refused > 0 && !list.approval ? (
            <Act intent="retry">Send all refused again</Act>
          ) : null}
        </span>
      </div>
      <Form
        // A new address resets the field.
        key={list.search}
        method="get"
        preventScrollReset
        role="search"
        aria-label="Search rows"
        className="flex max-w-[420px] gap-2 py-2"
      >
        {filter === "all" ? null : <input type="hidden" name="show" value={filter} />}
        <input
          type="search"
          name="q"
          defaultValue={list.search}
          maxLength={100}
          aria-label="Search rows"
          placeholder="Name, address, row number"
          className="control"
        />
        <button type="submit" className="button">
          Search
        </button>
      </Form>
      {list.rows.length === 0 ? (
        <p className="py-4 text-dim">{list.search === "" ? "No rows here." : "No rows match this search."}</p>
      ) : (
        <Table label="Rows" narrow rows="keys" head={[{ numeric: "Row" }, "To", "Status"]}>
          {list.rows.map((row) => (
            <TableRow key={row.number} row={row} list={list} />
          ))}
        </Table>
      )}
      {list.pages > 1 ? <PageLinks list={list} /> : null}
    </section>
  );
}

const PROBLEMS: Record<ProblemCode, [one: string, many: string]> = {
  duplicate: ["duplicate", "duplicates"],
  address_not_found: ["address that is not found", "addresses that are not found"],
  finding: ["row with a fault", "rows with a fault"],
  returned: ["address that mail came back from", "addresses that mail came back from"],
};

/** Allows or leaves out all rows with one kind of problem. */
function DecideAll({ code, count }: { code: ProblemCode; count: number }) {
  const [one, many] = PROBLEMS[code];
  const rows = `${formatInteger(count)} ${count === 1 ? one : many}`;
  return (
    <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
      <input type="hidden" name="code" value={code} />
      <Submit intent="allow_all">Send {rows} anyway</Submit>
      <Submit intent="leave_out_all">Leave out {rows}</Submit>
    </Form>
  );
}

function TableRow({ row, list }: { row: RowEntry; list: ListView }) {
  const may = useMay();
  const { number, name, place, word, tone, problem, sendId, test } = row;
  return (
    <Row>
      <Cell numeric>{formatInteger(number)}</Cell>
      <Cell wraps="name">
        {name || <Absent why="not named" />}
        <br />
        <span className="text-dim text-small">{place}</span>
      </Cell>
      <Cell wraps="text">
        <div className="flex flex-wrap items-center justify-between gap-x-3 sm:flex-nowrap">
          <div className="min-w-0">
            <Badge tone={tone}>{word}</Badge>{" "}
            {test?.pdf ? (
              <a href={test.pdf} target="_blank" rel="noreferrer" className="link">
                Provider's PDF
              </a>
            ) : (
              <span className="text-warn">{test?.problem}</span>
            )}
            {problem ? <span className="block text-small">{problem}</span> : null}
          </div>
          <span className="ml-auto flex flex-wrap justify-end gap-x-3 max-sm:ml-0">
            {sendId ? (
              <Link to={`/sends/${sendId}`} className="link whitespace-nowrap">
                View piece
              </Link>
            ) : null}
            {row.correctable ? (
              <Link to={`${rowsAddress(list, { row: number })}#row`} className="link whitespace-nowrap">
                {word === "ready" ? "Preview" : "Correct"}
                <span className="sr-only"> row {number}</span>
              </Link>
            ) : null}
            {row.leftOut && may("send:test") ? (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="row" value={number} />
                <Submit intent="take_back" className="button-quiet link">
                  Take back<span className="sr-only"> row {number}</span>
                </Submit>
              </Form>
            ) : null}
          </span>
        </div>
      </Cell>
    </Row>
  );
}

function PageLinks({ list }: { list: ListView }) {
  const { page, pages } = list;
  const address = (to: number) => rowsAddress(list, { page: to });
  return (
    <nav aria-label="Pages" className="flex gap-4 py-2">
      {page > 1 ? (
        <TextLink to={address(page - 1)} preventScrollReset>
          Previous
        </TextLink>
      ) : null}
      <span className="text-dim tabular-nums">
        Page {formatInteger(page)} of {formatInteger(pages)}
      </span>
      {page < pages ? (
        <TextLink to={address(page + 1)} preventScrollReset>
          Next
        </TextLink>
      ) : null}
    </nav>
  );
}

export function RowForm({
  form: { number, opened, cells, problem, allowable, allowed, canLeaveOut },
  typed,
  closeTo,
}: {
  form: RowFormView;
  /** Cells of a correction that was refused. */
  typed: Readonly<Record<string, string>> | undefined;
  /** Address of the rows without this form. */
  closeTo: string;
}) {
  // Another person's change arrives while the page polls, but the form still shows the row as it was opened.
  const [seen, setSeen] = useState({ opened, typed });
  if (seen.typed !== typed) setSeen({ opened, typed });
  return (
    <Form
      method="post"
      preventScrollReset
      aria-label={`Row ${number}`}
      className="grid gap-3 border-line border-b px-4 py-3"
    >
      <input type="hidden" name="row" value={number} />
      <input type="hidden" name="opened" value={seen.opened} />
      {problem ? <input type="hidden" name="next" value="1" /> : null}
      {problem ? <Notice tone="warn">{problem}</Notice> : null}
      <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2">
        {cells.map(({ label, value, name }) => (
          <div key={name} className="min-w-0">
            <label htmlFor={`${number}-${name}`} className="mb-0.5 block truncate text-small text-dim">
              {label}
            </label>
            <input
              id={`${number}-${name}`}
              name={name}
              defaultValue={typed?.[name] ?? value}
              autoComplete="off"
              className="control w-full"
            />
          </div>
        ))}
      </div>
      {allowable ? (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            name="allow"
            value="1"
            defaultChecked={allowed && problem === null}
            className="size-4 accent-accent"
          />
          Send it anyway
        </label>
      ) : null}
      <p className="flex flex-wrap items-center gap-3">
        <Submit intent="correct">Save row</Submit>
        {canLeaveOut ? (
          <Submit intent="leave_out" className="button-quiet">
            Leave it out
          </Submit>
        ) : null}
        <TextLink to={closeTo} preventScrollReset>
          Close
        </TextLink>
      </p>
    </Form>
  );
}
