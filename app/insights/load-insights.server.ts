import { formatCredits } from "~/credits/format-credits";
import { chartSpend, loadSpendPerDay } from "~/credits/spending/spend-per-day.server";
import type { Viewer } from "~/people/viewer.server";
import { findStatus } from "~/pieces/status";
import { IS_OPEN } from "~/pieces/transition-sql.server";
import type { Db } from "~/platform/database/client";
import { readFromReplica, withDatabase } from "~/platform/database/database.server";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { DAY_MS, formatIsoDay, listDays } from "~/platform/time";
import { loadDays, type ResponseDay } from "~/responses/stats/stats.server";
import type { ChartView } from "~/ui/chart/chart";
import { drawChart } from "~/ui/chart/draw-chart.server";
import { formatDay } from "~/ui/moment";

const WEEKS = 12;
const ANSWER_DAYS = 14;
const DELIVERY_DAYS = 90;
const MOST_COUNTRIES = 12;
const NO_ANSWERS = "No answers were stored in this time.";

/** The outcome of a piece, with the tone of its series. */
const PIECE_GROUPS = {
  open: "warn",
  "on its way": "pale",
  delivered: "accent",
  returned: "none",
  "not mailed": "ink",
} as const;
type PieceGroup = keyof typeof PIECE_GROUPS;
const GROUPS = Object.keys(PIECE_GROUPS) as PieceGroup[];

export type InsightsView = Awaited<ReturnType<typeof loadInsightsView>>;

/** Loads the Insights page, also without a viewer or a database. */
export async function loadInsightsView(viewer: Viewer | null, now: Date) {
  const content = viewer ? await readFromReplica(() => loadContent(now)) : succeed([]);
  const failure = content.ok ? null : content.failure;
  return { signedIn: viewer !== null, failure, charts: content.ok ? content.value : [] };
}

async function loadContent(now: Date): Promise<Outcome<ChartView[]>> {
  const weeks = listWeeks(now);
  const answerDays = listDays(ANSWER_DAYS, now);
  const read = await withDatabase(async (db) => ({
    states: await countStates(db, startOf(weeks[0])),
    delivery: await measureDelivery(db, new Date(now.getTime() - DELIVERY_DAYS * DAY_MS)),
    answers: await measureAnswers(db, startOf(answerDays[0])),
  }));
  if (!read.ok) return read;
  const results = await loadDays(ANSWER_DAYS, now);
  if (!results.ok) return results;
  const spend = await loadSpendPerDay(now);
  if (!spend.ok) return spend;
  return succeed([
    toStates(weeks, read.value.states),
    toDelivery(read.value.delivery),
    toLatency(answerDays, read.value.answers),
    toErrors(results.value),
    toSpend(spend.value),
  ]);
}

function toSpend(days: ValueOf<typeof loadSpendPerDay>): ChartView {
  const credits = days.reduce((sum, { letters, postcards }) => sum + letters + postcards, 0);
  const perDay = (credits / days.length).toLocaleString("en", { maximumFractionDigits: 1 });
  const answer =
    credits === 0
      ? `No credits were spent on mail in ${days.length} days.`
      : `${formatCredits(credits)} in ${days.length} days, ${perDay} a day.`;
  return chartSpend(`How many credits were spent on each of the last ${days.length} days?`, answer, days);
}

function toStates(weeks: string[], rows: Awaited<ReturnType<typeof countStates>>): ChartView {
  const list = weeks.map((week) => ({
    week,
    counts: { open: 0, "on its way": 0, delivered: 0, returned: 0, "not mailed": 0 },
  }));
  for (const { week, status, pieces } of rows) {
    const counts = list.find((one) => one.week === week)?.counts;
    if (counts) counts[groupOf(status)] += pieces;
  }
  const sum = (group: PieceGroup) => list.reduce((total, { counts }) => total + counts[group], 0);
  const total = GROUPS.reduce((all, group) => all + sum(group), 0);
  const open = sum("open");
  const waiting = open === 0 ? "" : ` ${formatInteger(open)} ${open === 1 ? "is" : "are"} not settled yet.`;
  return drawChart({
    question: `What became of the mail of the last ${WEEKS} weeks?`,
    answer:
      total === 0
        ? "No live mail was sent in this time."
        : `Of ${formatCount(total, "piece")}, ${formatInteger(sum("delivered"))} arrived and ${formatInteger(sum("returned"))} came back.${waiting}`,
    series: GROUPS.map((name) => ({ name, tone: PIECE_GROUPS[name] })),
    table: { label: "Pieces by week", heads: ["Week of", ...GROUPS] },
    places: list.map(({ week, counts }) => ({
      key: week,
      label: formatDay(week),
      title: `Week of ${formatDay(week)}: ${GROUPS.map((group) => `${counts[group]} ${group}`).join(", ")}`,
      values: GROUPS.map((group) => counts[group]),
      cells: [formatDay(week), ...GROUPS.map((group) => formatInteger(counts[group]))],
    })),
  });
}

/** Finds the group of a status. A cancelled or failed piece was not mailed. */
function groupOf(status: string): PieceGroup {
  if (status === "open") return "open";
  const rank = findStatus(status)?.rank ?? 0;
  if (rank >= 70) return status === "returned" ? "returned" : "not mailed";
  return rank >= 60 ? "delivered" : "on its way";
}

function toDelivery(rows: Awaited<ReturnType<typeof measureDelivery>>): ChartView {
  const names = new Intl.DisplayNames("en", { type: "region" });
  const all = rows.find(({ isAll }) => isAll);
  const countries = rows
    .filter(({ isAll }) => !isAll)
    .map(({ country, ...rest }) => ({
      ...rest,
      code: country ?? "?",
      name: country === null ? "Country not known" : (names.of(country) ?? country),
    }))
    .sort((a, b) => b.pieces - a.pieces)
    .slice(0, MOST_COUNTRIES);
  const [slowest] = countries.length > 1 ? countries.toSorted((a, b) => b.half - a.half) : [];
  const last = slowest ? ` ${slowest.name} takes longest: ${formatDays(slowest.half)}.` : "";
  return drawChart({
    question: "How many days does mail take to each country?",
    answer: all
      ? `Half of the mail arrives within ${formatDays(all.half)}, nine of ten pieces within ${formatDays(all.most)}.${last}`
      : "No piece was delivered in this time.",
    series: [
      { name: "half of the pieces", tone: "accent" },
      { name: "nine of ten", tone: "pale" },
    ],
    table: {
      label: "Days to delivery by country",
      heads: ["Country", "Delivered", "Half within", "Nine of ten within"],
    },
    places: countries.map(({ code, name, pieces, half, most }) => ({
      key: code,
      label: code,
      title: `${name}: half of ${pieces} within ${formatDays(half)}, nine of ten within ${formatDays(most)}`,
      values: [half, most - half],
      cells: [name, formatInteger(pieces), formatDays(half), formatDays(most)],
    })),
  });
}

function toLatency(days: string[], rows: Awaited<ReturnType<typeof measureAnswers>>): ChartView {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const list = days.map((day) => {
    const { answers = 0, half = null, slow = null } = byDay.get(day) ?? {};
    return { day, answers, half, slow };
  });
  const all = byDay.get(null);
  const chart = {
    question: `How fast did the provider answer in the last ${ANSWER_DAYS} days?`,
    answer:
      all && all.half !== null && all.slow !== null
        ? `Half of ${formatInteger(all.answers)} answers came within ${formatMs(all.half)}, 95 of 100 within ${formatMs(all.slow)}.`
        : NO_ANSWERS,
    series: [
      { name: "half of the answers", tone: "accent" },
      { name: "95 of 100", tone: "warn" },
    ],
    table: { label: "Answer times by day", heads: ["Day", "Answers", "Half within", "95 of 100 within"] },
    places: list.map(({ day, answers, half, slow }) => {
      const [halfMs, slowMs] = [formatMs(half ?? 0), formatMs(slow ?? 0)];
      return {
        key: day,
        label: formatDay(day),
        title: `${formatDay(day)}: half of ${answers} within ${halfMs}, 95 of 100 within ${slowMs}`,
        values: [half, slow],
        cells: answers > 0 ? [formatDay(day), formatInteger(answers), halfMs, slowMs] : null,
      };
    }),
  } as const;
  return drawChart(chart, "lines", formatMs);
}

function toErrors(rows: ResponseDay[]): ChartView {
  const days = rows.map(({ day, counts }) => ({
    day,
    ok: counts["2xx"] + counts["3xx"],
    refused: counts["4xx"],
    failed: counts["5xx"] + counts.none,
  }));
  const sum = (name: "ok" | "refused" | "failed") => days.reduce((total, one) => total + one[name], 0);
  const [ok, refused, failed] = [sum("ok"), sum("refused"), sum("failed")];
  const total = ok + refused + failed;
  return drawChart({
    question: `How often did requests fail in the last ${ANSWER_DAYS} days?`,
    answer:
      total === 0
        ? NO_ANSWERS
        : `${formatShare(failed, total)} of ${formatInteger(total)} requests failed at the provider or had no answer. ${formatShare(refused, total)} were refused (4xx).`,
    series: [
      { name: "answered", tone: "pale" },
      { name: "refused (4xx)", tone: "warn" },
      { name: "failed (5xx, no answer)", tone: "ink" },
    ],
    table: { label: "Results by day", heads: ["Day", "Answered", "Refused", "Failed"] },
    places: days.map((one) => ({
      key: one.day,
      label: formatDay(one.day),
      title: `${formatDay(one.day)}: ${one.ok} answered, ${one.refused} refused, ${one.failed} failed`,
      values: [one.ok, one.refused, one.failed],
    })),
  });
}

/** Formats "3 days" or "0.5 days". */
function formatDays(days: number): string {
  const text = days.toLocaleString("en", { maximumFractionDigits: 1 });
  return `${text} ${text === "1" ? "day" : "days"}`;
}

function formatMs(ms: number): string {
  return ms < 1000
    ? `${formatInteger(Math.round(ms))} ms`
    : `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} s`;
}

function formatShare(part: number, total: number): string {
  const share = (part / total) * 100;
  return `${share.toLocaleString("en", { maximumFractionDigits: share > 0 && share < 1 ? 2 : 1 })}%`;
}

/** Lists the Mondays of the last weeks in UTC, the oldest first. */
function listWeeks(now: Date): string[] {
  const today = startOf(formatIsoDay(now));
  const monday = today.getTime() - ((today.getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: WEEKS }, (_, index) => formatIsoDay(monday - (WEEKS - 1 - index) * 7 * DAY_MS));
}

function startOf(day: string | undefined): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** Counts live pieces by the week in which they were sent and by status. */
async function countStates(db: Db, since: Date) {
  const settled = await db.$queryRaw<{ week: string; status: string; pieces: number }[]>`
    SELECT to_char(date_trunc('week', created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS week, status, count(*)::int AS pieces
    FROM mail_items WHERE NOT test AND created_at >= ${since}::timestamptz GROUP BY 1, 2`;
  const open = await db.$queryRaw<{ week: string; pieces: number }[]>`
    SELECT to_char(date_trunc('week', created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS week, count(*)::int AS pieces
    FROM sends WHERE ${IS_OPEN} AND created_at >= ${since}::timestamptz GROUP BY 1`;
  return [...settled, ...open.map((row) => ({ ...row, status: "open" satisfies PieceGroup }))];
}

/** Measures the days that half and nine of ten delivered pieces took to each country (null: unknown), and to all. */
function measureDelivery(db: Db, since: Date) {
  type Row = { country: string | null; isAll: boolean; pieces: number; half: number; most: number };
  return db.$queryRaw<Row[]>`
    SELECT country, grouping(country) = 1 AS "isAll", count(*)::int AS pieces,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY days) AS half,
      percentile_cont(0.9) WITHIN GROUP (ORDER BY days) AS most
    FROM (
      SELECT country, extract(epoch FROM greatest(status_at - created_at, interval '0'))::float8 / 86400 AS days
      FROM mail_items WHERE NOT test AND status = 'delivered' AND created_at >= ${since}::timestamptz
    ) delivered GROUP BY GROUPING SETS ((country), ()) HAVING count(*) > 0`;
}

/** Measures answer times by day, and of all days (`day` is null): the median `half` and the 95th percentile `slow`, in ms. */
function measureAnswers(db: Db, since: Date) {
  type Row = { day: string | null; answers: number; half: number | null; slow: number | null };
  return db.$queryRaw<Row[]>`
    SELECT day, count(*)::int AS answers, percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS half,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS slow
    FROM (
      SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, duration_ms
      FROM responses WHERE duration_ms IS NOT NULL AND created_at >= ${since}::timestamptz
    ) answered GROUP BY GROUPING SETS ((day), ()) HAVING count(*) > 0`;
}
