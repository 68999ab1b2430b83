import { endAbsent, type NewAlarm, openAlarm } from "~/alarms/alarm-record.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { claimDueRuns, finishRun, loadFinishedRuns } from "~/reconciliation/daily/runs.server";
import { CHECKS } from "./checks.server";

/**
 * Runs the checks that have alarms once a day, in one of the processes. A fault that may pass becomes an alarm if it is still
 * there an hour later.
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
    let isComplete = true;
    for (const { id, find } of CHECKS.filter(({ alarms: hasAlarm }) => hasAlarm)) {
      const finding = await find({ settings: env(), read: withDatabase, now: Date.now() });
      if (finding.passing) passing.push(id);
      const isUnsure = finding.state === "unseen" || (finding.passing && !before.includes(id));
      if (isUnsure) isComplete = false;
      if (isUnsure || finding.state !== "fails") continue;
      // Without the finding's text: its numbers change, and the same fault is reported once.
      const text = `"npm run doctor" finds a fault. ${finding.next}`;
      alarms.push({ kind: "setup_fault", subject: { type: "system", id }, text, once: true });
    }
    return withDatabase((db) =>
      db.$transaction(async (tx) => {
        for (const alarm of alarms) await openAlarm(tx, alarm);
        // A check that was not made says nothing about an earlier fault.
        if (isComplete) await endAbsent(tx, "setup_fault", alarms);
        await finishRun(tx, {
          name: "setup",
          differences: alarms.length,
          problem: passing.join(" ") || null,
        });
      }),
    );
  },
};
