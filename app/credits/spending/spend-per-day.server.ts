import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { listDays } from "~/platform/time";
import type { ChartView } from "~/ui/chart/chart";
import { drawChart } from "~/ui/chart/draw-chart.server";
import { formatDay } from "~/ui/moment";

export const CHART_DAYS = 30;

export type SpendDay = { day: string; letters: number; postcards: number };

/** Loads the credits spent per day and kind of mail, for the last 30 days including today, without refunded pieces. */
export async function loadSpendPerDay(now = new Date()): Promise<Outcome<SpendDay[]>> {
  const listed = listDays(CHART_DAYS, now);
  const since = new Date(`${listed[0]}T00:00:00Z`);
  const read = await withDatabase(
    (db) => db.$queryRaw<SpendDay[]>`
      WITH refund AS (
        SELECT reference_response_id, sum(amount) AS amount FROM credit_transactions
        WHERE cause = 'refund' AND created_at >= ${since}::timestamptz GROUP BY 1
      ), piece AS (
        SELECT to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, d.mail_type,
          d.amount - coalesce(r.amount, 0) AS amount
        FROM credit_transactions d LEFT JOIN refund r ON r.reference_response_id = d.reference_response_id
        WHERE d.cause = 'send' AND d.transaction_type = 'debit' AND d.created_at >= ${since}::timestamptz
      )
      SELECT day, coalesce(sum(amount) FILTER (WHERE mail_type = 'letter'), 0)::int AS letters,
        coalesce(sum(amount) FILTER (WHERE mail_type = 'postcard'), 0)::int AS postcards
      FROM piece GROUP BY day`,
  );
  return read.ok ? succeed(fillDays(listed, read.value)) : read;
}

/** Lists these days with their spending, also those without any. */
export function fillDays(days: readonly string[], found: readonly SpendDay[]): SpendDay[] {
  const byDay = new Map(found.map((row) => [row.day, row]));
  return days.map((day) => byDay.get(day) ?? { day, letters: 0, postcards: 0 });
}

export function chartSpend(question: string, answer: string, days: readonly SpendDay[]): ChartView {
  return drawChart({
    question,
    answer,
    series: [
      { name: "letters", tone: "accent" },
      { name: "postcards", tone: "pale" },
    ],
    table: { label: "Credits by day", heads: ["Day", "Letters", "Postcards"] },
    places: days.map(({ day, letters, postcards }) => ({
      key: day,
      label: formatDay(day),
      title: `${formatDay(day)}: ${letters} on letters, ${postcards} on postcards`,
      values: [letters, postcards],
    })),
  });
}
