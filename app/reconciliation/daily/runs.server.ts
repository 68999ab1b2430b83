import type { Db } from "~/platform/database/client";
import { endOf, type Period } from "../reconciliation";

/** Daily checks: our books with the provider's and Stripe's, the ledger, and the arrival of the provider's events. */
export type ComparisonName = "provider" | "stripe" | "ledger" | "webhook";

/** The comparisons, the daily check of the installation, and the last backup. */
export type RunName = ComparisonName | "setup" | "backup";

interface FinishedRun {
  name: RunName;
  finishedAt: Date;
  differences: number;
  /** Why not everything could be compared; null when it was. */
  problem: string | null;
}

/**
 * Claims the due comparisons of these for an hour, so that another process takes over if this one dies. One that never ran is due an hour
 * after the first request. The ledger is also due when its alarm was closed, so that a fault which returns within the day opens a new one.
 */
export function claimDueRuns<Name extends RunName>(db: Db, names: readonly Name[]): Promise<{ id: Name }[]> {
  return db.$queryRaw<{ id: Name }[]>`
    WITH planned AS (
      INSERT INTO reconciliation_runs (name, due_at)
      SELECT name, now() + interval '1 hour' FROM unnest(${[...names]}::text[]) AS wanted(name)
      ON CONFLICT DO NOTHING
    ), due AS MATERIALIZED (
      SELECT name AS due_name FROM reconciliation_runs
      WHERE name = ANY(${[...names]}::text[]) AND (due_at <= now() OR (name = 'ledger' AND finished_at >= started_at AND EXISTS (
        SELECT 1 FROM alarms WHERE kind = 'ledger_broken' AND closed_at > started_at))) FOR UPDATE SKIP LOCKED
    )
    UPDATE reconciliation_runs SET due_at = now() + interval '1 hour', started_at = now() FROM due
    WHERE name = due_name RETURNING name AS id`;
}

/**
 * Stores the end of a run. It is due again a day after its start, or in an hour if something could not be compared, unless
 * only a person can mend that.
 */
export async function finishRun(
  db: Db,
  { name, differences, problem }: Omit<FinishedRun, "finishedAt">,
  needsPerson = false,
) {
  await db.$executeRaw`
    WITH old AS (DELETE FROM reconciliation_results WHERE finished_at < now() - interval '400 days'),
    result AS (INSERT INTO reconciliation_results (name, differences, problem)
      VALUES (${name}, ${differences}::int, ${problem}::text))
    UPDATE reconciliation_runs SET finished_at = now(), differences = ${differences}::int, problem = ${problem}::text,
      due_at = CASE WHEN ${needsPerson}::boolean OR ${problem}::text IS NULL THEN started_at + interval '1 day' ELSE now() + interval '1 hour' END
    WHERE name = ${name}`;
}

/** Stores the end of a backup. Makes the check of the installation due when backups start or cease to fail. */
export async function recordBackup(db: Db, problem: string | null): Promise<void> {
  await db.$executeRaw`
    WITH before AS (SELECT problem FROM reconciliation_runs WHERE name = 'backup'),
    looked AS (
      UPDATE reconciliation_runs SET due_at = now() WHERE name = 'setup'
      AND ${problem}::text IS DISTINCT FROM (SELECT problem FROM before)
    )
    INSERT INTO reconciliation_runs (name, due_at, started_at, finished_at, differences, problem)
    VALUES ('backup', now(), now(), now(), 0, ${problem}::text)
    ON CONFLICT (name) DO UPDATE SET finished_at = now(), problem = EXCLUDED.problem`;
}

/** Lists the last run of each name on each of these days (UTC), the newest first. */
export function listDailyRuns(db: Db, period: Period): Promise<FinishedRun[]> {
  return db.$queryRaw<FinishedRun[]>`
    SELECT DISTINCT ON (date_trunc('day', finished_at AT TIME ZONE 'UTC'), name) name, finished_at AS "finishedAt",
      differences, problem
    FROM reconciliation_results
    WHERE finished_at >= ${new Date(period.from)}::timestamptz AND finished_at < ${endOf(period)}::timestamptz
    ORDER BY date_trunc('day', finished_at AT TIME ZONE 'UTC') DESC, name, finished_at DESC`;
}

/** Loads the last run of each name that ended at least once. */
export function loadFinishedRuns(db: Db): Promise<FinishedRun[]> {
  return db.$queryRaw<FinishedRun[]>`
    SELECT name, finished_at AS "finishedAt", differences, problem FROM reconciliation_runs
    WHERE finished_at IS NOT NULL ORDER BY name`;
}
