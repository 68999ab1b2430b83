import { withDatabase } from "~/platform/database/database.server";
import type { RoomGauge } from "~/platform/metrics.server";
import { succeed } from "~/platform/outcome";
import { loadFinishedRuns } from "./runs.server";

/** Numbers of the daily comparisons for `/metrics`. */
export const RUN_GAUGES: readonly RoomGauge[] = [
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
];
