import { withDatabase } from "~/platform/database/database.server";
import { formatInteger } from "~/platform/format-integer";
import { succeed, type ValueOf } from "~/platform/outcome";
import { DAY_MS, formatIsoDay, listDays } from "~/platform/time";
import { drawChart } from "~/ui/chart/draw-chart.server";
import { formatDay } from "~/ui/moment";
import { FETCH_FAILED, prefixFailure } from "../messages";

const CLASSES = [
  { id: "2xx", name: "2xx", tone: "accent" },
  { id: "3xx", name: "3xx", tone: "pale" },
  { id: "4xx", name: "4xx", tone: "warn" },
  { id: "5xx", name: "5xx", tone: "bad" },
  { id: "none", name: "no answer", tone: "none" },
] as const;

export type ResponseStats = ValueOf<typeof loadStats>;
/** The responses of one UTC day by class of status. */
export type ResponseDay = ValueOf<typeof loadDays>[number];

/**
 * Loads totals of all listed responses from the counters. Counts rows only in the hour in which the last 24 hours
 * begin. `by_status` has `none` for responses without a status. Fails as the database does.
 */
export async function loadStats(now = new Date()) {
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
  const found = prefixFailure(FETCH_FAILED, read);
  if (!found.ok) return found;
  const byStatus = found.value
    .filter(({ total }) => total > 0n)
    .map(({ status, total }) => [status === 0 ? "none" : String(status), Number(total)] as const);
  return succeed({
    total: byStatus.reduce((sum, [, total]) => sum + total, 0),
    by_status: Object.fromEntries(byStatus),
    recent_count: Number(found.value[0]?.recent ?? 0),
  });
}

/** Loads the responses per UTC day of the last `days` days including today, oldest first. Fails as the database does. */
export async function loadDays(days: number, now = new Date()) {
  const shown = listDays(days, now);
  const since = new Date(`${shown[0] ?? formatIsoDay(now)}T00:00:00Z`);
  const read = await withDatabase(
    (db) => db.$queryRaw<{ day: string; status: number; total: bigint }[]>`
      SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, status, sum(total)::bigint AS total
      FROM response_hours WHERE hour >= ${since}::timestamptz GROUP BY 1, 2`,
  );
  const found = prefixFailure(FETCH_FAILED, read);
  if (!found.ok) return found;
  const byDay = new Map(shown.map((day) => [day, { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, none: 0 }]));
  for (const { day, status, total } of found.value) {
    const counts = byDay.get(day);
    if (counts) counts[toClass(status)] += Number(total);
  }
  return succeed([...byDay].map(([day, counts]) => ({ day, counts })));
}

function toClass(status: number): (typeof CLASSES)[number]["id"] {
  if (status === 0) return "none";
  if (status < 300) return "2xx";
  if (status < 400) return "3xx";
  return status < 500 ? "4xx" : "5xx";
}

/** Sums up the figures of the tab: statuses 200 and 201 are successful, 400 and above are errors. */
export function sumStats({ total, by_status, recent_count }: ResponseStats) {
  const sum = { total, successful: 0, errors: 0, recent: recent_count };
  for (const [status, count] of Object.entries(by_status)) {
    if (status === "200" || status === "201") sum.successful += count;
    if (Number(status) >= 400) sum.errors += count;
  }
  return sum;
}

/** Draws the responses of some days by class of status, leaving out classes that no response has. */
export function chartDays(days: readonly ResponseDay[]) {
  const shown = CLASSES.map((one) => ({
    ...one,
    sum: days.reduce((sum, { counts }) => sum + counts[one.id], 0),
  })).filter(({ sum }) => sum > 0);
  const sums = shown.map(({ name, sum }) => `${name}: ${formatInteger(sum)}`).join(", ");
  return drawChart({
    question: `Responses per day, last ${days.length} days`,
    answer: shown.length === 0 ? "No responses were stored in this time." : `${sums}.`,
    series: shown.map(({ name, tone }) => ({ name, tone })),
    table: { label: "Responses by day", heads: ["Day", ...shown.map(({ name }) => name)] },
    places: days.map(({ day, counts }) => ({
      key: day,
      label: formatDay(day),
      title: `${formatDay(day)}: ${shown.map(({ id, name }) => `${counts[id]} ${name}`).join(", ")}`,
      values: shown.map(({ id }) => counts[id]),
    })),
  });
}
