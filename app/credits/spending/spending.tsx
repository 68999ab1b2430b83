import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { formatUserName } from "~/people/user-option";
import { formatInteger } from "~/platform/format-integer";
import { Chart } from "~/ui/chart/chart";
import { Absent } from "~/ui/fact";
import { FilterChoice, FilterForm, FilterInput } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { May } from "~/ui/may";
import { ProblemNotice } from "~/ui/notice";
import type { SpendingLine, SpendingView } from "./spending-view.server";

type ShownSpending = Extract<SpendingView, { problem: null }>;

/** One month by person and kind, its days, and the months around it. */
export function Spending({ view }: { view: SpendingView }) {
  if (view.problem !== null) {
    return (
      <ProblemNotice>
        {view.problem} <TextLink to="/users?view=spending">Show this month</TextLink>
      </ProblemNotice>
    );
  }
  const { month } = view;
  return (
    <>
      <PersonForm view={view} month={month.month} />
      <section aria-labelledby="spent-month">
        <h2 id="spent-month" className="text-lead">
          {month.name}
        </h2>
        <MonthTable month={month} />
        {month.bought ? (
          <p className="mt-2">
            Bought: <TextLink to={month.bought.to}>{month.bought.text}</TextLink>
          </p>
        ) : null}
      </section>
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Chart {...month.days} />
        <MonthsTable view={view} />
      </div>
      <p className="max-w-[80ch] text-dim">
        A piece counts in the month in which it was sent. Credits: after refunds. Worth: the price paid for
        them, the oldest credits spent first; credits added by hand have no price. Margin: worth less the
        provider's price, of the pieces whose price is known.{" "}
        {view.knowsCurrency
          ? null
          : "The provider's answers do not name a currency: set STANNP_CURRENCY to see the margin."}
      </p>
    </>
  );
}

function PersonForm({ view, month }: { view: ShownSpending; month: string }) {
  return (
    <FilterForm
      values={[view.userId, month]}
      action="/users"
      aria-label="Month and person"
      className="flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      <input type="hidden" name="view" value="spending" />
      <FilterInput
        label="Month"
        type="month"
        name="month"
        value={month}
        min="1980-01"
        max="2099-12"
        placeholder="YYYY-MM"
      />
      <FilterChoice
        label="User"
        name="user_id"
        value={view.userId}
        all="All users"
        options={view.users.map((user) => [user.id, `${formatUserName(user)}, ${user.username}`])}
      />
      <button type="submit" className="button">
        Show
      </button>
      <May scope="credits">
        <a href={view.csv} download className="link py-1.5">
          Download CSV of the year
        </a>
      </May>
    </FilterForm>
  );
}

const NUMBERS = ["Pieces", "Cancelled", "Credits", "Per credit", "Worth", "Provider", "Margin"].map(
  (numeric) => ({ numeric }),
);

function MonthTable({ month }: { month: ShownSpending["month"] }) {
  if (month.lines.length === 0) return <p className="py-4 text-dim">No live mail was sent in this month.</p>;
  return (
    <Table label={`Spending in ${month.name}`} head={["Person", "Kind", ...NUMBERS]}>
      {month.lines.map((line, index) => (
        <Row key={line.key}>
          <Cell wraps="name">
            {month.lines[index - 1]?.userId === line.userId ? (
              <span className="sr-only">{line.user}</span>
            ) : (
              <span className="font-semibold">{line.user}</span>
            )}
          </Cell>
          <Cell>{line.kind}</Cell>
          <Numbers line={line} subject={`${line.kind.toLowerCase()} of ${line.user}`} />
        </Row>
      ))}
      <tr className="font-semibold">
        <Cell>All</Cell>
        <Cell>{""}</Cell>
        <Numbers line={month.total} subject={month.name} />
      </tr>
    </Table>
  );
}

function MonthsTable({ view }: { view: ShownSpending }) {
  return (
    <section aria-labelledby="months" className="min-w-0">
      <h2 id="months">Months</h2>
      <Table label="The months before" head={["Month", ...NUMBERS]}>
        {view.months.map((line) => (
          <tr key={line.month} className={`border-line border-b ${line.shown ? "bg-accent-wash" : ""}`}>
            <Cell>
              <Link
                to={line.to}
                className="link whitespace-nowrap"
                aria-current={line.shown ? "true" : undefined}
              >
                {line.name}
              </Link>
            </Cell>
            <Numbers line={line} subject={line.name} />
          </tr>
        ))}
      </Table>
      <p className="mt-2 flex gap-4">
        {view.earlier ? <TextLink to={view.earlier}>Earlier months</TextLink> : null}
        {view.later ? <TextLink to={view.later}>Later months</TextLink> : null}
      </p>
    </section>
  );
}

/** Cells of one line. Each count links to its pieces. */
function Numbers({ line, subject }: { line: SpendingLine; subject: string }) {
  return (
    <>
      <Cell numeric>
        <Counted count={line.pieces} to={line.piecesTo} subject={`pieces: ${subject}`} />
      </Cell>
      <Cell numeric>
        <Counted count={line.cancelled} to={line.cancelledTo} subject={`cancelled pieces: ${subject}`} />
      </Cell>
      <Cell numeric>
        <Counted count={line.credits} to={line.piecesTo} subject={`credits: ${subject}`} />
      </Cell>
      <Cell numeric>{line.credits === 0 ? null : <Known>{line.perCredit}</Known>}</Cell>
      <Cell numeric>
        {line.credits === 0 ? null : <Known>{line.worth}</Known>}
        {line.byHand > 0 ? <Aside>{formatInteger(line.byHand)} added by hand</Aside> : null}
      </Cell>
      <Cell numeric>
        {line.pieces === 0 ? null : (
          <>
            <Known>{line.cost}</Known>
            {line.cost !== null && line.unpriced > 0 ? <Aside>{line.unpriced} not known</Aside> : null}
          </>
        )}
      </Cell>
      <Cell numeric>{line.pieces === 0 ? null : <Known>{line.margin}</Known>}</Cell>
    </>
  );
}

function Counted({ count, to, subject }: { count: number; to: string | null; subject: string }) {
  if (count === 0) return <span className="text-dim">0</span>;
  if (to === null) return formatInteger(count);
  return (
    <TextLink to={to}>
      {formatInteger(count)}
      <span className="sr-only"> {subject}</span>
    </TextLink>
  );
}

function Aside({ children }: { children: ReactNode }) {
  return <span className="block text-dim text-small">{children}</span>;
}

function Known({ children }: { children: ReactNode }) {
  return children ?? <Absent />;
}
