import type { Finding } from "~/credits/ledger/verify-ledger.server";
import { readLong } from "~/platform/database/database.server";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";

/** `totals` selects for each `name` the total `stored` and the number `counted`. */
const RULES = [
  {
    id: "R1",
    rule: "The counters per status are the numbers of stored responses.",
    totals: Prisma.sql`
      SELECT 'status ' || status AS name, coalesce(stored.total, 0) AS stored, coalesce(counted.total, 0) AS counted
      FROM (SELECT status, sum(total) AS total FROM response_counters GROUP BY 1) stored
      FULL JOIN (
        SELECT coalesce(status_code, 0) AS status, count(*) AS total
        FROM responses WHERE deleted_at IS NULL GROUP BY 1
      ) counted USING (status)`,
  },
  {
    id: "R2",
    rule: "The counters per hour are the numbers of stored responses by hour and status.",
    totals: Prisma.sql`
      SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24') || ':00 status ' || status AS name,
        coalesce(stored.total, 0) AS stored, coalesce(counted.total, 0) AS counted
      FROM (SELECT hour, status, sum(total) AS total FROM response_hours GROUP BY 1, 2) stored
      FULL JOIN (
        SELECT date_trunc('hour', created_at, 'UTC') AS hour, coalesce(status_code, 0) AS status, count(*) AS total
        FROM responses WHERE deleted_at IS NULL GROUP BY 1, 2
      ) counted USING (hour, status)`,
  },
];

/** Compares the counters with a full count, one statement each, so that a console may keep running. */
export async function verifyCounters(db: PrismaClient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, rule, totals } of RULES) {
    const [row] = await readLong<{ checked: number; broken: number; problems: string[] | null }>(
      db,
      Prisma.sql`
      WITH totals AS MATERIALIZED (${totals}), wrong AS (SELECT * FROM totals WHERE stored <> counted)
      SELECT (SELECT count(*) FROM totals)::int AS checked, (SELECT count(*) FROM wrong)::int AS broken,
        ARRAY(SELECT format('%s: stored %s, counted %s', name, stored, counted)
              FROM wrong ORDER BY name LIMIT 20) AS problems`,
    );
    const { checked = 0, broken = 0, problems } = row ?? {};
    findings.push({ id, rule, ok: broken === 0, checked, broken, problems: problems ?? [] });
  }
  return findings;
}
