import { withDatabase } from "~/platform/database/database.server";
import type { RoomGauge } from "~/platform/metrics.server";
import { succeed } from "~/platform/outcome";

/** Numbers of alarms for `/metrics`. */
export const ALARM_GAUGES: readonly RoomGauge[] = [
  {
    name: "mailroom_open_alarms",
    help: "Open alarms, by kind",
    labels: ["kind"],
    async read() {
      const read = await withDatabase(
        (db) => db.$queryRaw<{ kind: string; total: number }[]>`
          SELECT kind, count(*)::int AS total FROM alarms WHERE closed_at IS NULL GROUP BY kind`,
      );
      if (!read.ok) return read;
      return succeed(read.value.map(({ kind, total }) => ({ value: total, labels: { kind } })));
    },
  },
];
