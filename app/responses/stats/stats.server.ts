import { withDatabase } from "~/platform/database/database.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay, listDays } from "~/platform/time";
import { FETCH_FAILED, prefixFailure } from "../messages";
import type { ResponseDay, ResponseStats } from "../stored-response";

const NO_STATUS = "none";

/**
 * Loads totals of all listed responses from the counters. Counts rows only in the hour in which the last 24 hours
 * begin. `by_status` has `none` for responses without a status. Fails with `not_configured` or
 * `database_unavailable`.
 */
export async function loadStats(now = new Date()): Promise<Outcome<ResponseStats>> {
  const since = new Date(now.getTime() - DAY_MS);
  const read = await withDatabase(
    (db) => db.$queryRaw<{ status: number; total: bigint; recent: bigint }[]>`
      SELECT status, sum(total)::bigint AS total,
        (SELECT coalesce(sum(total), 0)::bigint FROM response_hours WHERE hour >= ${since}::timestamptz) + (
          SELECT count(*) FROM responses WHERE deleted_at IS NULL AND created_at >= ${since}::timestamptz
            AND created_at < date_trunc('hour', ${since}::timestamptz, 'UTC') + interval '1 hour'
            AND date_trunc('hour', ${since}::timestamptz, 'UTC') < ${since}::timestamptz
        ) AS recent
      FROM response_counters GROUP BY status ORDER BY status`,
  );
  if (!read.ok) return prefixFailure(FETCH_FAILED, read);
  const byStatus = read.value
    .filter(({ total }) => total > 0n)
    .map(({ status, total }) => [status === 0 ? NO_STATUS : String(status), Number(total)] as const);
  return succeed({
    total: byStatus.reduce((sum, [, total]) => sum + total, 0),
    by_status: Object.fromEntries(byStatus),
    recent_count: Number(read.value[0]?.recent ?? 0),
  });
}

/**
 * Loads the responses per UTC day and class of status, of the last `days` days including today, oldest first. Fails
 * with `not_configured` or `database_unavailable`.
 */
export async function loadDays(days: number, now = new Date()): Promise<Outcome<ResponseDay[]>> {
  const shown = listDays(days, now);
  const since = new Date(`${shown[0] ?? formatIsoDay(now)}T00:00:00Z`);
  const read = await withDatabase(
    (db) => db.$queryRaw<{ day: string; status: number; total: bigint }[]>`
      SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, status, sum(total)::bigint AS total
      FROM response_hours WHERE hour >= ${since}::timestamptz GROUP BY 1, 2`,
  );
  if (!read.ok) return prefixFailure(FETCH_FAILED, read);
  const byDay = new Map(shown.map((day) => [day, { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, none: 0 }]));
  for (const { day, status, total } of read.value) {
    const counts = byDay.get(day);
    if (counts) counts[toStatusClass(status)] += Number(total);
  }
  return succeed([...byDay].map(([day, counts]) => ({ day, counts })));
}

function toStatusClass(status: number): keyof ResponseDay["counts"] {
  if (status === 0) return "none";
  if (status < 300) return "2xx";
  if (status < 400) return "3xx";
  return status < 500 ? "4xx" : "5xx";
}
