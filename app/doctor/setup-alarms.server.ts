import { endAbsent, type NewAlarm, openAlarm } from "~/alarms/alarm-record.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { claimDueRuns, finishRun, loadFinishedRuns } from "~/reconciliation/daily/runs.server";
import { CHECKS } from "./checks.server";

/**
 * Makes the checks that have alarms once a day, in one process of all that share the database. A fault that may pass is
 * an alarm when an hour later it is still there.
 */
export const checkSetup: BackgroundTask<{ id: string }> = {
  name: "check_setup",
  batchSize: 1,
  atOnce: 1,
  claim: () => withDatabase((db) => claimDueRuns(db, ["setup"])),
  async work() {
    const runs = await withDatabase(loadFinishedRuns);
    if (!runs.ok) return runs;
    const before = runs.value.find(({ name }) => name === "setup")?.problem?.split(" ") ?? [];
    const alarms: NewAlarm[] = [];
    const passing: string[] = [];
    for (const { id, alarms: isAlarm, find } of CHECKS) {
      if (!isAlarm) continue;
      const {
        state,
        next,
        passing: mayPass,
      } = await find({ settings: env(), read: withDatabase, now: Date.now() });
      if (state !== "fails") continue;
      if (mayPass) passing.push(id);
      if (mayPass && !before.includes(id)) continue;
      // Numbers that change each day are left out, so that the same fault is reported once.
      const text = `"npm run doctor" finds a fault. ${next}`;
      alarms.push({ kind: "setup_fault", subject: { type: "system", id }, text, once: true });
    }
    return withDatabase((db) =>
      db.$transaction(async (tx) => {
        for (const alarm of alarms) await openAlarm(tx, alarm);
        await endAbsent(tx, "setup_fault", alarms);
        await finishRun(tx, {
          name: "setup",
          differences: alarms.length,
          problem: passing.join(" ") || null,
        });
      }),
    );
  },
};
