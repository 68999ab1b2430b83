import { IS_UNSETTLED } from "~/pieces/transition-sql.server";
import { withDatabase } from "~/platform/database/database.server";
import type { RoomGauge } from "~/platform/metrics.server";
import { succeed } from "~/platform/outcome";
import { loadFinishedRuns } from "~/reconciliation/daily/runs.server";
import { Prisma } from "../prisma/client/client";

/** Gauges of the rooms at `/metrics`. */
export const GAUGES: readonly RoomGauge[] = [
  {
    name: "mailroom_open_pieces",
    help: "Pieces whose credits are held or whose cancel is not settled, by state and age",
    labels: ["state", "age"],
    read: () =>
      readRows(Prisma.sql`
        SELECT state, age, count(*)::int AS value FROM (
          SELECT state,
            CASE WHEN created_at > now() - interval '1 minute' THEN 'under_1m'
              WHEN created_at > now() - interval '1 hour' THEN 'under_1h'
              WHEN created_at > now() - interval '1 day' THEN 'under_1d' ELSE 'over_1d' END AS age
          FROM sends WHERE ${IS_UNSETTLED}
        ) AS open GROUP BY state, age`),
  },
  {
    name: "mailroom_oldest_expired_lease_seconds",
    help: "For how long the longest waiting open piece has been due for recovery; it grows when recovery stops",
    read: () =>
      readRows(Prisma.sql`
        SELECT coalesce(extract(epoch FROM now() - min(lease_until)), 0)::float8 AS value FROM sends
        WHERE state IN ('reserved', 'sending', 'unknown', 'cancelling') AND lease_until < now()`),
  },
  {
    name: "mailroom_recovered_pieces_last_day",
    help: "Pieces that were settled within 24 hours and took more than one call, by outcome",
    labels: ["outcome"],
    read: () =>
      readRows(Prisma.sql`
        SELECT CASE WHEN state IN ('cancelling', 'cancelled') THEN 'accepted' ELSE state END AS outcome,
          count(*)::int AS value
        FROM sends WHERE settled_at > now() - interval '1 day' AND attempts > 1 GROUP BY 1`),
  },
  {
    name: "mailroom_ledger_last_row",
    help: "Number of the last ledger row; it never falls. Numbers may be left out, so there are at most as many rows",
    // Counting would read all rows at each scrape.
    read: () => readRows(Prisma.sql`SELECT coalesce(max(id), 0)::float8 AS value FROM credit_transactions`),
  },
  {
    name: "mailroom_checkouts",
    help: "Purchases that are open, or paid but not as ordered",
    labels: ["state"],
    read: () =>
      readRows(Prisma.sql`
        SELECT s.state, count(c.id)::int AS value
        FROM (VALUES ('open'), ('mismatch')) AS s (state) LEFT JOIN checkout_sessions c ON c.state = s.state
        GROUP BY s.state`),
  },
  {
    name: "mailroom_open_alarms",
    help: "Open alarms, by kind",
    labels: ["kind"],
    read: () =>
      readRows(
        Prisma.sql`SELECT kind, count(*)::int AS value FROM alarms WHERE closed_at IS NULL GROUP BY kind`,
      ),
  },
  {
    name: "mailroom_reconciliation_age_seconds",
    help: "How long ago each daily comparison ended; over a day and an hour it is late",
    labels: ["comparison"],
    async read() {
      const runs = await withDatabase(loadFinishedRuns);
      if (!runs.ok) return runs;
      return succeed(
        runs.value.map(({ name, finishedAt }) => ({
          value: (Date.now() - finishedAt.getTime()) / 1000,
          labels: { comparison: name },
        })),
      );
    },
  },
  {
    name: "mailroom_webhook_deliveries_last_day",
    help: "Deliveries made within 24 hours, by state: waiting, delivered or failed",
    labels: ["state"],
    read: () =>
      readRows(Prisma.sql`
        SELECT d.state, count(*)::int AS value FROM webhook_messages m JOIN webhook_deliveries d ON d.message_id = m.id
        WHERE m.created_at > now() - interval '1 day' GROUP BY d.state`),
  },
  {
    name: "mailroom_oldest_due_webhook_seconds",
    help: "For how long the longest waiting delivery to an endpoint that does not fail has been due",
    read: () =>
      readRows(Prisma.sql`
        SELECT coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS value
        FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE d.state = 'waiting' AND d.next_at < now() AND e.disabled_at IS NULL AND e.failing_since IS NULL`),
  },
  {
    name: "mailroom_webhook_endpoints",
    help: "Endpoints of webhooks: active, failing or off",
    labels: ["state"],
    read: () =>
      readRows(Prisma.sql`
        SELECT CASE WHEN disabled_at IS NOT NULL THEN 'off' WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state,
          count(*)::int AS value FROM webhook_endpoints GROUP BY 1`),
  },
];

/** Reads one sample for each row: its `value`, labelled by the other columns. */
async function readRows(query: Prisma.Sql): ReturnType<RoomGauge["read"]> {
  const read = await withDatabase((db) =>
    db.$queryRaw<({ value: number } & Record<string, string>)[]>(query),
  );
  return read.ok ? succeed(read.value.map(({ value, ...labels }) => ({ value, labels }))) : read;
}
