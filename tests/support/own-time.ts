import { readFileSync } from "node:fs";

/** Of the thread that reads it: its nanoseconds on a processor come first. Linux has it. */
const THREAD = "/proc/thread-self/schedstat";
/** In which Linux counts the time of processes. */
const TICK_MS = 10;
const LINUX = process.platform === "linux";

/**
 * How long this thread has worked, in ms from some beginning: what else the machine does makes no difference, so that a
 * limit on it holds on a machine that is busy. Where the system does not tell it, the clock.
 */
export function readOwnMs(): number {
  return LINUX ? Number(readFileSync(THREAD, "utf8").split(" ")[0]) / 1e6 : performance.now();
}

/** What `run` takes of this thread's own time, in ms. */
export function measureOwnMs(run: () => unknown): number {
  const startedAt = readOwnMs();
  run();
  return readOwnMs() - startedAt;
}

/** A machine that does four other things at once is so much slower. */
const OTHERS = 5;

/**
 * The longest that something may take for which we promise `ms` and which waits for other processes: the promise itself
 * would fail on a machine that is busy, and what is broken takes for ever.
 */
export function promisedMs(ms: number): number {
  return ms * OTHERS;
}

/** How long a process has worked, all its threads, in ms from some beginning. Where the system does not tell it, the clock. */
export function readProcessMs(pid: number): number {
  if (!LINUX) return performance.now();
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
