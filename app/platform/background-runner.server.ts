import PQueue from "p-queue";
import { env } from "./env.server";
import { errorNameOf, log } from "./log.server";
import type { Outcome } from "./outcome";

/** A kind of background work, done row by row. */
export interface BackgroundTask<Row extends { id: string } = { id: string }> {
  /** Name in the log: `recover_sends`. */
  name: string;
  /** Rows claimed at once. A full batch is followed immediately by the next one. */
  batchSize: number;
  /** Rows of a batch that are worked on at the same time. */
  atOnce: number;
  /** Claims rows that are due. Leases them when their work must not be done twice. */
  claim(limit: number): Promise<Outcome<readonly Row[]>>;
  /** Settles or postpones one row. A failure does not stop the other rows. */
  work(row: Row): Promise<Outcome<unknown>>;
  /** Runs when no further batch is due. */
  cleanUp?(): Promise<Outcome<unknown>>;
}

export interface Batch {
  claimed: number;
  /** Claimed rows whose work did not fail. */
  done: number;
}

/** A task that throws is retried after 1, 2, 4 and then always this many intervals. */
const LONGEST_BACKOFF_INTERVALS = 8;

/** On `globalThis`, because a module loaded again in development must not start a second runner beside the first. */
const shared = globalThis as typeof globalThis & { mailroomBackground?: { stop: () => Promise<void> } };

/** Runs these tasks in place of earlier ones; none without a database or with `RECONCILE_INTERVAL_MS=0`. */
export function startBackgroundTasks(tasks: readonly BackgroundTask[]): void {
  const { reconcileIntervalMs, database } = env();
  void stopBackgroundTasks();
  if (reconcileIntervalMs === 0 || database.kind === "none") return;
  shared.mailroomBackground = runTasks(tasks, reconcileIntervalMs);
}

/** Starts no further batch, and waits for those under way. */
export async function stopBackgroundTasks(): Promise<void> {
  const running = shared.mailroomBackground;
  delete shared.mailroomBackground;
  await running?.stop();
}

/**
 * Runs each task once per interval, the first time after one interval. Tasks are independent: one that hangs or
 * fails does not delay another. No task overlaps itself.
 */
export function runTasks(tasks: readonly BackgroundTask[], intervalMs: number) {
  const loops = tasks.map((task) => repeat(task, intervalMs));
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function repeat(task: BackgroundTask, intervalMs: number) {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout;
  let running: Promise<void> | undefined;
  const plan = (delayMs: number) => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, delayMs).unref();
  };
  const run = async () => {
    try {
      const { claimed, done } = await runBatch(task);
      failures = 0;
      // When every row failed, a dependency is probably down, so the rest waits.
      plan(claimed >= task.batchSize && done > 0 ? 0 : intervalMs);
    } catch (error) {
      log.error("background.task_failed", { task: task.name, errorName: errorNameOf(error) });
      plan(intervalMs * Math.min(2 ** failures, LONGEST_BACKOFF_INTERVALS));
      failures++;
    }
  };
  plan(intervalMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Claims one batch and works on it. Rejects when claiming or cleaning up throws. */
export async function runBatch<Row extends { id: string }>(task: BackgroundTask<Row>): Promise<Batch> {
  const claimed = await task.claim(task.batchSize);
  if (!claimed.ok) return { claimed: 0, done: 0 };
  const queue = new PQueue({ concurrency: task.atOnce });
  const worked = await queue.addAll(claimed.value.map((row) => () => workOn(task, row)));
  if (claimed.value.length < task.batchSize) await task.cleanUp?.();
  return { claimed: claimed.value.length, done: worked.filter(Boolean).length };
}

async function workOn<Row extends { id: string }>(task: BackgroundTask<Row>, row: Row): Promise<boolean> {
  try {
    const worked = await task.work(row);
    if (worked.ok) return true;
    log.warn("background.row_failed", { task: task.name, rowId: row.id, failureCode: worked.failure.code });
  } catch (error) {
    log.error("background.row_failed", { task: task.name, rowId: row.id, errorName: errorNameOf(error) });
  }
  return false;
}
