import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import type { Piscina } from "piscina";
import { errorNameOf, log } from "./log.server";
import { fail, type Outcome, succeed } from "./outcome";

/** Work that may keep a processor busy for long. Input and result are plain data, because they are copied between threads. */
export interface HeavyJob<Input, Result> {
  /** `letter.pdf`; its row in `app/heavy-worker.server.ts`. */
  name: string;
  run: (input: Input) => Result | Promise<Result>;
  /** False keeps a small input in the current thread, because copying it takes longer than the work. */
  isLarge: (input: Input) => boolean;
  /** Start of the message when a limit ends the work: "No PDF was made." */
  notDone: string;
}

/** Limit of one job, including its wait for a thread. */
const TIME_LIMIT_MS = 20_000;
/** Heap of one thread, without buffers. */
const HEAP_LIMIT_MB = 512;
/** Growth of the whole process during one job: buffers and images are no part of a thread's heap. */
const GROWTH_LIMIT_BYTES = 1_000_000_000;
const WATCH_MS = 50;
const TOO_MUCH_MEMORY = "It needed too much memory to work through.";
const WAITING_LIMIT = 50;
const IDLE_MS = 60_000;

let pool: Promise<Piscina> | undefined;

/**
 * Does a large job in a pool of threads, so that the server keeps answering, and a small one in the current thread. Fails
 * with `too_complex` when a limit of time or memory ends it. Rethrows errors of the job.
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
    if (process.memoryUsage.rss() > mostBytes) stop.abort(TOO_MUCH_MEMORY);
    else if (performance.now() - started > timeLimitMs) stop.abort("It took too long to work through.");
  }, WATCH_MS);
  const { signal } = stop;
  try {
    pool ??= startPool();
    return succeed((await (await pool).run({ name: job.name, input }, { signal })) as Result);
  } catch (error) {
    const limit = signal.aborted ? String(signal.reason) : findLimit(error);
    if (limit === null) throw error;
    const durationMs = Math.round(performance.now() - started);
    log.warn("heavy_work.ended", { task: job.name, durationMs, errorName: errorNameOf(error) });
    return fail("too_complex", `${job.notDone} ${limit} Make it smaller or simpler, then try again.`);
  } finally {
    clearInterval(watch);
  }
}

/** Names the limit that ended the work; null for an error of the work itself. */
function findLimit(error: unknown): string | null {
  const { code, message } = Object(error) as { code?: string; message?: string };
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return TOO_MUCH_MEMORY;
  return message === "Task queue is at limit" ? "The server is busy with other large work." : null;
}

/** Loads the library on first use, because most starts of a console do no heavy work. */
async function startPool(): Promise<Piscina> {
  const { Piscina } = await import("piscina");
  return new Piscina({
    ...findEntry(),
    minThreads: 0,
    // Leaves one processor to the thread that answers requests.
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    maxQueue: WAITING_LIMIT,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
}

/** Uses the worker's bundle beside the built server, or its source in tests. */
function findEntry(): { filename: string; execArgv?: string[] } {
  if (!import.meta.url.endsWith(".ts"))
    return { filename: fileURLToPath(new URL("heavy-worker.js", import.meta.url)) };
  return {
    filename: fileURLToPath(new URL("../heavy-worker.server.ts", import.meta.url)),
    execArgv: ["--import", "tsx"],
  };
}
