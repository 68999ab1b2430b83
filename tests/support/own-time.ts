import { readFileSync } from "node:fs";

/** Starts with the nanoseconds that the reading thread has spent on a processor. Linux only. */
const THREAD = "/proc/thread-self/schedstat";
/** Linux counts the time of processes in ticks of this length. */
const TICK_MS = 10;
const LINUX = process.platform === "linux";

/**
 * Processor time of this thread in ms since an arbitrary start. Other work on the machine does not change it, so
 * limits hold on a busy machine. Falls back to the clock on other systems.
 */
export function readOwnMs(): number {
  return LINUX ? Number(readFileSync(THREAD, "utf8").split(" ")[0]) / 1e6 : performance.now();
}

/** Processor time of this thread for `run`, in ms. */
export function measureOwnMs(run: () => unknown): number {
  const startedAt = readOwnMs();
  run();
  return readOwnMs() - startedAt;
}

/** Slowdown on a machine that runs four other tasks. */
const OTHERS = 5;

/**
 * The upper bound for an operation with a promised limit of `ms` that waits for other processes. The promise itself
 * would fail on a busy machine, and broken code never ends.
 */
export function promisedMs(ms: number): number {
  return ms * OTHERS;
}

/**
 * Processor time of a process with all its threads, in ms since an arbitrary start. Falls back to the clock on
 * other systems.
 */
export function readProcessMs(pid: number): number {
  if (!LINUX) return performance.now();
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
