import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import type { Piscina } from "piscina";
import { HEAVY_WORK } from "./http/messages";
import { errorNameOf, log } from "./log.server";
import { fail, type Outcome, succeed } from "./outcome";

/** Work that may keep a processor busy for long. Input and result are copied between threads: plain data only. */
export interface HeavyJob<Input, Result> {
  /** `letter.pdf`; its row in `app/heavy-worker.server.ts`. */
  name: string;
  run: (input: Input) => Result | Promise<Result>;
  /** Small inputs stay in the thread that has them, because a copy and a hop take longer than the work. */
  isLarge: (input: Input) => boolean;
  /** What did not happen, if a limit ends the work: "No PDF was made." */
  notDone: string;
}

/** Of one job, with its wait for a thread. */
const TIME_LIMIT_MS = 20_000;
/** Of one thread, beside the files and texts themselves. */
const HEAP_LIMIT_MB = 512;
/** Growth of the whole process during one job: buffers and images are no part of a thread's heap. */
const GROWTH_LIMIT_BYTES = 1_000_000_000;
const WATCH_MS = 50;
const WAITING_LIMIT = 50;
const IDLE_MS = 60_000;

let pool: Promise<Piscina> | undefined;

/**
 * Does a job: a large one in a pool of threads, so that others are served meanwhile. A job over its limits of time or
 * memory is ended and fails with `too_complex`. What the job itself throws is thrown.
 */
export async function doHeavyWork<Input, Result>(
  job: HeavyJob<Input, Result>,
  input: Input,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<Outcome<Result>> {
  if (!isMainThread || !job.isLarge(input)) return succeed(await job.run(input));
  const started = performance.now();
  const stop = new AbortController();
  const mostBytes = process.memoryUsage.rss() + GROWTH_LIMIT_BYTES;
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > mostBytes) stop.abort(HEAVY_WORK.tooMuchMemory);
    else if (performance.now() - started > timeLimitMs) stop.abort(HEAVY_WORK.tooLong);
  }, WATCH_MS);
  const { signal } = stop;
  try {
    return succeed((await (await openPool()).run({ name: job.name, input }, { signal })) as Result);
  } catch (error) {
    const limit = signal.aborted ? String(signal.reason) : findLimit(error);
    if (limit === null) throw error;
    const durationMs = Math.round(performance.now() - started);
    log.warn("heavy_work.ended", { task: job.name, durationMs, errorName: errorNameOf(error) });
    return fail("too_complex", `${job.notDone} ${limit} ${HEAVY_WORK.nextStep}`);
  } finally {
    clearInterval(watch);
  }
}

/** Which limit ended the work; null for an error of the work itself. */
function findLimit(error: unknown): string | null {
  const { code, message } = Object(error) as { code?: string; message?: string };
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return HEAVY_WORK.tooMuchMemory;
  if (message === "Task queue is at limit") return HEAVY_WORK.busy;
  return null;
}

function openPool(): Promise<Piscina> {
  pool ??= startPool();
  return pool;
}

/** The library is loaded here, because a console starts more often than it has heavy work. */
async function startPool(): Promise<Piscina> {
  const { Piscina } = await import("piscina");
  return new Piscina({
    ...findEntry(),
    minThreads: 0,
    // One processor is left for the thread that serves.
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    maxQueue: WAITING_LIMIT,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
}

/** Beside the built server its own bundle; from the sources, in tests, the source. */
function findEntry(): { filename: string; execArgv?: string[] } {
  if (!import.meta.url.endsWith(".ts"))
    return { filename: fileURLToPath(new URL("heavy-worker.js", import.meta.url)) };
  return {
    filename: fileURLToPath(new URL("../heavy-worker.server.ts", import.meta.url)),
    execArgv: ["--import", "tsx"],
  };
}
