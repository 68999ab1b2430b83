import { withDatabase } from "~/platform/database/database.server";
import type { RoomGauge } from "~/platform/metrics.server";
import { succeed } from "~/platform/outcome";

/** Numbers of the ledger and of purchases for `/metrics`. */
export const CREDIT_GAUGES: readonly RoomGauge[] = [
  {
    name: "mailroom_ledger_last_row",
    help: "Number of the last ledger row; it never falls. Numbers may be left out, so there are at most as many rows",
    async read() {
      // Counting the rows would read all of them at each scrape.
      const read = await withDatabase(
        (db) => db.$queryRaw<{ last: number }[]>`
          SELECT coalesce(max(id), 0)::float8 AS last FROM credit_transactions`,
      );
      return read.ok ? succeed([{ value: read.value[0]?.last ?? 0 }]) : read;
    },
  },
  {
    name: "mailroom_checkouts",
    help: "Purchases that are open, or paid but not as ordered",
    labels: ["state"],
    async read() {
      const read = await withDatabase(
        (db) => db.$queryRaw<{ state: string; total: number }[]>`
          SELECT s.state, count(c.id)::int AS total
          FROM (VALUES ('open'), ('mismatch')) AS s (state) LEFT JOIN checkout_sessions c ON c.state = s.state
          GROUP BY s.state`,
      );
      if (!read.ok) return read;
      return succeed(read.value.map(({ state, total }) => ({ value: total, labels: { state } })));
    },
  },
];
