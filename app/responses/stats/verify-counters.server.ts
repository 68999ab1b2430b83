import type { Db } from "~/platform/database/client";
import { Prisma } from "../../../prisma/client/client";

/** What one rule of the counters was found to be; as `verify-ledger` tells its own. */
interface CounterFinding {
  id: string;
  rule: string;
  ok: boolean;
  /** How many totals were looked at. */
  checked: number;
  broken: number;
  problems: string[];
}

interface Rule {
  id: string;
  rule: string;
  /** Totals that are told and counted, by `name`. */
  totals: Prisma.Sql;
}

const SHOWN_PROBLEMS = 20;

const RULES: Rule[] = [
  {
    id: "R1",
    rule: "The counters of stored responses are their number by status.",
    totals: Prisma.sql`
      SELECT 'status ' || status AS name, coalesce(told.total, 0) AS told, coalesce(counted.total, 0) AS counted
      FROM (SELECT status, sum(total) AS total FROM response_counters GROUP BY 1) told
      FULL JOIN (
        SELECT coalesce(status_code, 0) AS status, count(*) AS total
        FROM responses WHERE deleted_at IS NULL GROUP BY 1
      ) counted USING (status)`,
  },
  {
    id: "R2",
    rule: "The hours of stored responses are their number by hour and status.",
    totals: Prisma.sql`
      SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24') || ':00 status ' || status AS name,
        coalesce(told.total, 0) AS told, coalesce(counted.total, 0) AS counted
      FROM (SELECT hour, status, sum(total) AS total FROM response_hours GROUP BY 1, 2) told
      FULL JOIN (
        SELECT date_trunc('hour', created_at, 'UTC') AS hour, coalesce(status_code, 0) AS status, count(*) AS total
        FROM responses WHERE deleted_at IS NULL GROUP BY 1, 2
      ) counted USING (hour, status)`,
  },
];

/** Compares the counters with a full count, each in one statement, so that the console may be at work meanwhile. */
export async function verifyCounters(db: Db): Promise<CounterFinding[]> {
  const findings: CounterFinding[] = [];
  for (const { id, rule, totals } of RULES) {
    const [row] = await db.$queryRaw<{ checked: number; broken: number; problems: string[] | null }[]>`
      WITH totals AS MATERIALIZED (${totals}), wrong AS (SELECT * FROM totals WHERE told <> counted)
      SELECT (SELECT count(*) FROM totals)::int AS checked, (SELECT count(*) FROM wrong)::int AS broken,
        ARRAY(SELECT format('%s: told %s, counted %s', name, told, counted)
              FROM wrong ORDER BY name LIMIT ${SHOWN_PROBLEMS}::int) AS problems`;
    const { checked = 0, broken = 0, problems } = row ?? {};
    findings.push({ id, rule, ok: broken === 0, checked, broken, problems: problems ?? [] });
  }
  return findings;
}
