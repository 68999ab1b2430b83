import type { BackgroundTask } from "~/platform/background-runner.server";

/** Drains several tasks, one after the other. */
export async function drainAll<Row extends { id: string }>(
  tasks: readonly BackgroundTask<Row>[],
): Promise<number> {
  let total = 0;
  for (const task of tasks) total += await drain(task);
  return total;
}

/** Runs batches of a background task until nothing is due; returns the number of claimed rows. */
export async function drain<Row extends { id: string }>(task: BackgroundTask<Row>): Promise<number> {
  const { runBatch } = await import("~/platform/background-runner.server");
  let total = 0;
  for (;;) {
    const { claimed, done } = await runBatch(task);
    total += claimed;
    if (done === 0) return total;
  }
}
