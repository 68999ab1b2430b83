import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { LoginNotice } from "~/people/login-notice";
import { Chart } from "~/ui/chart/chart";
import { DatabaseNotice } from "~/ui/database-notice";
import { Cell, Head, Row, Table } from "~/ui/list/table";
import { formatDay } from "~/ui/moment";
import { type InsightsView, PIECE_GROUPS } from "./insights-view";
import { formatDays, formatMs, LOG_IN_FOR_INSIGHTS, UNTIL_CONFIGURED } from "./messages";

type Content = NonNullable<InsightsView["content"]>;

const STATE_SERIES = [
  { name: "open", tone: "warn" },
  { name: "on its way", tone: "pale" },
  { name: "delivered", tone: "accent" },
  { name: "returned", tone: "none" },
  { name: "cancelled", tone: "ink" },
] as const;
const DELIVERY_SERIES = [
  { name: "half of the pieces", tone: "accent" },
  { name: "nine of ten", tone: "pale" },
] as const;
const LATENCY_SERIES = [
  { name: "half of the answers", tone: "accent" },
  { name: "95 of 100", tone: "warn" },
] as const;
const RESULT_SERIES = [
  { name: "answered", tone: "pale" },
  { name: "refused (4xx)", tone: "warn" },
  { name: "failed (5xx, no answer)", tone: "ink" },
] as const;
const SPEND_SERIES = [
  { name: "letters", tone: "accent" },
  { name: "postcards", tone: "pale" },
] as const;

/** Charts that answer a question each, of all users. */
export function InsightsPage({ view }: { view: InsightsView }) {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 py-4">
      <header className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-line border-b pb-2.5">
        <h1 className="text-title">Insights</h1>
        <p className="text-dim">All users, days in UTC.</p>
      </header>
      {view.signedIn ? null : <LoginNotice purpose={LOG_IN_FOR_INSIGHTS} />}
      {view.failure ? <DatabaseNotice failure={view.failure} untilConfigured={UNTIL_CONFIGURED} /> : null}
      {view.content ? <Charts content={view.content} /> : null}
    </div>
  );
}

/** The charts of a row start at one height, however long the sentences above them are. */
const CHARTS =
  "grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-2 lg:*:[section]:row-span-2 lg:*:[section]:grid lg:*:[section]:grid-rows-subgrid lg:*:[section]:gap-y-0";

function Charts({ content: { states, delivery, latency, errors, spend } }: { content: Content }) {
  return (
    <div className={CHARTS}>
      <Chart
        question="What became of the mail of the last 12 weeks?"
        answer={states.answer}
        series={STATE_SERIES}
        plot={states.plot}
        table={
          <Numbers
            label="Pieces by week"
            heads={["Week of", ...PIECE_GROUPS]}
            rows={states.weeks.map(({ week, counts }) => [
              day(week),
              ...PIECE_GROUPS.map((group) => counts[group].toLocaleString("en")),
            ])}
          />
        }
      />
      <Chart
        question="How many days does mail take to each country?"
        answer={delivery.answer}
        series={DELIVERY_SERIES}
        plot={delivery.plot}
        table={
          <Numbers
            label="Days to delivery by country"
            heads={["Country", "Delivered", "Half within", "Nine of ten within"]}
            rows={delivery.countries.map(({ name, pieces, half, most }) => [
              name,
              pieces.toLocaleString("en"),
              formatDays(half),
              formatDays(most),
            ])}
          />
        }
      />
      <Chart
        question="How fast did the provider answer in the last 14 days?"
        answer={latency.answer}
        series={LATENCY_SERIES}
        plot={latency.plot}
        table={
          <Numbers
            label="Answer times by day"
            heads={["Day", "Answers", "Half within", "95 of 100 within"]}
            rows={latency.days
              .filter(({ answers }) => answers > 0)
              .map(({ day: name, answers, half, slow }) => [
                day(name),
                answers.toLocaleString("en"),
                formatMs(half ?? 0),
                formatMs(slow ?? 0),
              ])}
          />
        }
      />
      <Chart
        question="How often did requests fail in the last 14 days?"
        answer={errors.answer}
        series={RESULT_SERIES}
        plot={errors.plot}
        table={
          <Numbers
            label="Results by day"
            heads={["Day", "Answered", "Refused", "Failed"]}
            rows={errors.days
              .filter(({ ok, refused, failed }) => ok + refused + failed > 0)
              .map(({ day: name, ok, refused, failed }) => [
                day(name),
                ...[ok, refused, failed].map((count) => count.toLocaleString("en")),
              ])}
          />
        }
      />
      <Chart
        question="How many credits were spent on each of the last 30 days?"
        answer={spend.answer}
        series={SPEND_SERIES}
        plot={spend.plot}
        table={
          <Numbers
            label="Credits by day"
            heads={["Day", "Letters", "Postcards"]}
            rows={spend.days
              .filter(({ letters, postcards }) => letters + postcards > 0)
              .map(({ day: name, letters, postcards }) => [
                day(name),
                letters.toLocaleString("en"),
                postcards.toLocaleString("en"),
              ])}
          />
        }
      />
      <p>
        Which pieces came back:{" "}
        <Link to="/mail?user_id=all&status=returned" className="link">
          Mail Management
        </Link>
        . Who spent it, and on what:{" "}
        <Link to="/users?view=spending" className="link">
          Spending
        </Link>
        . Each answer:{" "}
        <Link to="/stored" className="link">
          Stored Responses
        </Link>
        .
      </p>
    </div>
  );
}

function day(iso: string): ReactNode {
  return <time dateTime={iso}>{formatDay(iso)}</time>;
}

/** A table whose first column names the row. */
function Numbers({ label, heads, rows }: { label: string; heads: string[]; rows: ReactNode[][] }) {
  return (
    <Table
      narrow
      label={label}
      head={heads.map((head, index) => (
        <Head key={head} numeric={index > 0}>
          {head}
        </Head>
      ))}
    >
      {rows.map((cells, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a chart are never changed in place
        <Row key={index}>
          {cells.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Cell key={column} numeric={column > 0}>
              {cell}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
