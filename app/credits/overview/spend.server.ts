import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { listDays } from "~/platform/time";
import type { ChartView } from "~/ui/chart/chart";
import { drawChart } from "~/ui/chart/draw-chart.server";
import { formatDay } from "~/ui/moment";

const CHART_DAYS = 30;

export interface SpendDay {
  /** `2026-11-21` */
  day: string;
  letters: number;
  postcards: number;
}

/** A user's balance at the start and end of a day with changes. */
interface BalanceDay {
  day: string;
  before: number;
  after: number;
}

/**
 * Loads the credits spent per day and kind of mail, for the last days including today, without refunded pieces. Fails with
 * `not_configured` or `database_unavailable`.
 */
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
  if (!read.ok) return read;
  const byDay = new Map(read.value.map((row) => [row.day, row]));
  return succeed(listed.map((day) => byDay.get(day) ?? { day, letters: 0, postcards: 0 }));
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

/**
 * Loads the balances of users at the end of each of the last days, oldest first, by user id. Fails with `not_configured` or
 * `database_unavailable`.
 * @param users with their present balance
 */
export async function loadBalanceHistory(
  users: readonly { id: string; balance: number }[],
  now = new Date(),
): Promise<Outcome<Map<string, number[]>>> {
  const listed = listDays(CHART_DAYS, now);
  const read = await withDatabase(
    (db) => db.$queryRaw<(BalanceDay & { user_id: string })[]>`
      SELECT user_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
        (array_agg(balance_before ORDER BY id))[1] AS before,
        (array_agg(balance_after ORDER BY id DESC))[1] AS after
      FROM credit_transactions
      WHERE created_at >= ${new Date(`${listed[0]}T00:00:00Z`)}::timestamptz
        AND user_id = ANY(${users.map(({ id }) => id)}::text[])
      GROUP BY user_id, day ORDER BY user_id, day`,
  );
  if (!read.ok) return read;
  const changes = new Map<string, BalanceDay[]>();
  for (const row of read.value) {
    const earlier = changes.get(row.user_id);
    if (earlier) earlier.push(row);
    else changes.set(row.user_id, [row]);
  }
  return succeed(
    new Map(users.map(({ id, balance }) => [id, carryForward(listed, changes.get(id) ?? [], balance)])),
  );
}

/**
 * Lists the balance at the end of each day; a day without a change has that of the day before.
 * @param changes in the order of days
 * @param balance today's, for a user without any change
 */
function carryForward(days: readonly string[], changes: readonly BalanceDay[], balance: number): number[] {
  const byDay = new Map(changes.map((change) => [change.day, change.after]));
  let current = changes[0]?.before ?? balance;
  return days.map((day) => {
    current = byDay.get(day) ?? current;
    return current;
  });
}

/**
 * Loads the live mail that a user paid for since the first of the month (UTC), without refunded pieces. Fails with `not_configured` or
 * `database_unavailable`.
 */
export function loadMonthSpending(userId: string, now: Date) {
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return withDatabase(async (db) => {
    const [row] = await db.$queryRaw<{ pieces: number; credits: number }[]>`
      SELECT count(*)::int AS pieces, coalesce(sum(d.amount), 0)::int AS credits
      FROM credit_transactions d
      WHERE d.user_id = ${userId} AND d.created_at >= ${since}::timestamptz
        AND d.cause = 'send' AND d.transaction_type = 'debit'
        AND NOT EXISTS (SELECT 1 FROM credit_transactions r
          WHERE r.reference_response_id = d.reference_response_id AND r.cause = 'refund')`;
    return row ?? { pieces: 0, credits: 0 };
  });
}
