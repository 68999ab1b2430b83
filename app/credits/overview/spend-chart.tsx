import { Cell, Head, Row, Table } from "~/ui/list/table";
import { formatDay } from "~/ui/moment";
import { StackedBars } from "~/ui/stacked-bars";
import type { SpendDay } from "./spend";

/** Credits spent per day on letters and postcards, as bars and as a table. */
export function SpendChart({ spend }: { spend: SpendDay[] }) {
  const letters = sum(spend.map((day) => day.letters));
  const postcards = sum(spend.map((day) => day.postcards));
  return (
    <section aria-labelledby="spend-title" className="min-w-0">
      <h2 id="spend-title" className="mb-2 font-normal text-dim">
        Spend per day, last {spend.length} days
      </h2>
      {letters + postcards === 0 ? (
        <p className="border-line border-y py-4 text-dim">No credits were spent on mail in this time.</p>
      ) : (
        <>
          <StackedBars
            label={`Credits spent in ${spend.length} days: ${letters} on letters, ${postcards} on postcards`}
            series={[
              { name: "letters", tone: "accent" },
              { name: "postcards", tone: "pale" },
            ]}
            bars={spend.map((day) => ({
              key: day.day,
              values: [day.letters, day.postcards],
              title: `${formatDay(day.day)}: ${day.letters} on letters, ${day.postcards} on postcards`,
            }))}
            start={formatDay(spend[0]?.day ?? "")}
            end="today"
          />
          <details className="mt-1">
            <summary className="link w-fit text-dim">Show as a table</summary>
            <SpendTable spend={spend} />
          </details>
        </>
      )}
    </section>
  );
}

function SpendTable({ spend }: { spend: SpendDay[] }) {
  const spent = spend.filter((day) => day.letters + day.postcards > 0);
  return (
    <Table
      narrow
      label="Spend per day"
      head={
        <>
          <Head>Day</Head>
          <Head numeric>Letters</Head>
          <Head numeric>Postcards</Head>
        </>
      }
    >
      {spent.toReversed().map((day) => (
        <Row key={day.day}>
          <Cell>
            <time dateTime={day.day}>{formatDay(day.day)}</time>
          </Cell>
          <Cell numeric>{day.letters}</Cell>
          <Cell numeric>{day.postcards}</Cell>
        </Row>
      ))}
    </Table>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
