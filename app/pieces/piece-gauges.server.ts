import { withDatabase } from "~/platform/database/database.server";
import { succeed } from "~/platform/outcome";
import type { RoomGauge } from "~/platform/telemetry.server";
import { IS_UNSETTLED } from "./transition-sql.server";

interface Count {
  word: string;
  age: string;
  total: number;
}

/** Numbers of pieces for `/metrics`. */
export const PIECE_GAUGES: readonly RoomGauge[] = [
  {
    name: "mailroom_open_pieces",
    help: "Pieces whose credits are held or whose cancel is not settled, by state and age",
    labels: ["state", "age"],
    async read() {
      const counted = await withDatabase(
        (db) => db.$queryRaw<Count[]>`
          SELECT state AS word, age, count(*)::int AS total FROM (
            SELECT state,
              CASE WHEN created_at > now() - interval '1 minute' THEN 'under_1m'
                WHEN created_at > now() - interval '1 hour' THEN 'under_1h'
                WHEN created_at > now() - interval '1 day' THEN 'under_1d' ELSE 'over_1d' END AS age
            FROM sends WHERE ${IS_UNSETTLED}
          ) AS open GROUP BY state, age`,
      );
      if (!counted.ok) return counted;
      return succeed(
        counted.value.map(({ word, age, total }) => ({ value: total, labels: { state: word, age } })),
      );
    },
  },
  {
    name: "mailroom_oldest_expired_lease_seconds",
    help: "For how long the longest waiting open piece has been due for recovery; it grows when recovery stands still",
    async read() {
      const read = await withDatabase(
        (db) => db.$queryRaw<{ seconds: number }[]>`
          SELECT coalesce(extract(epoch FROM now() - min(lease_until)), 0)::float8 AS seconds FROM sends
          WHERE state IN ('reserved', 'sending', 'unknown', 'cancelling') AND lease_until < now()`,
      );
      return read.ok ? succeed([{ value: read.value[0]?.seconds ?? 0 }]) : read;
    },
  },
  {
    name: "mailroom_recovered_pieces_last_day",
    help: "Pieces that were settled within 24 hours and took more than one call, by outcome",
    labels: ["outcome"],
    async read() {
      const counted = await withDatabase(
        (db) => db.$queryRaw<Omit<Count, "age">[]>`
          SELECT CASE WHEN state IN ('cancelling', 'cancelled') THEN 'accepted' ELSE state END AS word,
            count(*)::int AS total
          FROM sends WHERE settled_at > now() - interval '1 day' AND attempts > 1 GROUP BY 1`,
      );
      if (!counted.ok) return counted;
      return succeed(counted.value.map(({ word, total }) => ({ value: total, labels: { outcome: word } })));
    },
  },
];
