import { IS_OPEN } from "~/pieces/transition-sql.server";
import type { Db } from "~/platform/database/client";
import type { DayOfAnswers, PieceGroup } from "./insights-view";

/** The numbers behind the charts, each from one index. Days and weeks are UTC, weeks begin on Monday. */

/** Live pieces since a time by the week in which they were sent, and what became of them. */
export async function countStates(
  db: Db,
  since: Date,
): Promise<{ week: string; status: string; pieces: number }[]> {
  const settled = await db.$queryRaw<{ week: string; status: string; pieces: number }[]>`
    SELECT to_char(date_trunc('week', created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS week, status, count(*)::int AS pieces
    FROM mail_items WHERE NOT test AND created_at >= ${since}::timestamptz GROUP BY 1, 2`;
  const open = await db.$queryRaw<{ week: string; pieces: number }[]>`
    SELECT to_char(date_trunc('week', created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS week, count(*)::int AS pieces
    FROM sends WHERE ${IS_OPEN} AND created_at >= ${since}::timestamptz GROUP BY 1`;
  return [...settled, ...open.map((row) => ({ ...row, status: "open" satisfies PieceGroup }))];
}

/** How many days half and nine of ten delivered pieces took to each country; null: not known which. Last: to all. */
export function measureDelivery(
  db: Db,
  since: Date,
): Promise<{ country: string | null; isAll: boolean; pieces: number; half: number; most: number }[]> {
  return db.$queryRaw`
    SELECT country, grouping(country) = 1 AS "isAll", count(*)::int AS pieces,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY days) AS half,
      percentile_cont(0.9) WITHIN GROUP (ORDER BY days) AS most
    FROM (
      SELECT country, extract(epoch FROM greatest(status_at - created_at, interval '0'))::float8 / 86400 AS days
      FROM mail_items WHERE NOT test AND status = 'delivered' AND created_at >= ${since}::timestamptz
    ) delivered GROUP BY GROUPING SETS ((country), ()) HAVING count(*) > 0`;
}

/** How long the provider took to answer, by day; the row without a day is all of them. */
export function measureAnswers(
  db: Db,
  since: Date,
): Promise<(Omit<DayOfAnswers, "day"> & { day: string | null })[]> {
  return db.$queryRaw`
    SELECT day, count(*)::int AS answers, percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS half,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS slow
    FROM (
      SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, duration_ms
      FROM responses WHERE duration_ms IS NOT NULL AND created_at >= ${since}::timestamptz
    ) answered GROUP BY GROUPING SETS ((day), ()) HAVING count(*) > 0`;
}
