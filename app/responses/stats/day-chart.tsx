import { Cell, Head, Row, Table } from "~/ui/list/table";
import { formatDay } from "~/ui/moment";
import { type Series, StackedBars } from "~/ui/stacked-bars";
import type { ResponseDay } from "../stored-response";

type StatusClass = keyof ResponseDay["counts"];

const CLASSES: readonly (Series & { id: StatusClass })[] = [
  { id: "2xx", name: "2xx", tone: "accent" },
  { id: "3xx", name: "3xx", tone: "pale" },
  { id: "4xx", name: "4xx", tone: "warn" },
  { id: "5xx", name: "5xx", tone: "bad" },
  { id: "none", name: "no answer", tone: "none" },
];

/** Responses per day by status class, as bars and as a table. */
export function DayChart({ days }: { days: ResponseDay[] }) {
  const sums = CLASSES.map(({ id }) => days.reduce((sum, { counts }) => sum + counts[id], 0));
  const shown = CLASSES.filter((_, order) => sums[order] !== 0);
  return (
    <section aria-labelledby="days-title" className="min-w-0">
      <h2 id="days-title" className="mb-2 font-normal text-dim">
        Responses per day, last {days.length} days
      </h2>
      {shown.length === 0 ? (
        <p className="border-line border-y py-4 text-dim">No responses were stored in this time.</p>
      ) : (
        <>
          <StackedBars
            label={`Responses in ${days.length} days: ${CLASSES.map(({ name }, order) => `${sums[order]} ${name}`).join(", ")}`}
            series={shown}
            bars={days.map(({ day, counts }) => ({
              key: day,
              values: shown.map(({ id }) => counts[id]),
              title: `${formatDay(day)}: ${shown.map(({ id, name }) => `${counts[id]} ${name}`).join(", ")}`,
            }))}
            start={formatDay(days[0]?.day ?? "")}
            end="today"
          />
          <details className="mt-1">
            <summary className="link w-fit text-dim">Show as a table</summary>
            <DayTable days={days} shown={shown} />
          </details>
        </>
      )}
    </section>
  );
}

function DayTable({ days, shown }: { days: ResponseDay[]; shown: typeof CLASSES }) {
  const busy = days.filter(({ counts }) => shown.some(({ id }) => counts[id] > 0));
  return (
    <Table
      narrow
      label="Responses per day"
      head={
        <>
          <Head>Day</Head>
          {shown.map(({ id, name }) => (
            <Head key={id} numeric>
              {name}
            </Head>
          ))}
        </>
      }
    >
      {busy.toReversed().map(({ day, counts }) => (
        <Row key={day}>
          <Cell>
            <time dateTime={day}>{formatDay(day)}</time>
          </Cell>
          {shown.map(({ id }) => (
            <Cell key={id} numeric>
              {counts[id].toLocaleString("en")}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}
