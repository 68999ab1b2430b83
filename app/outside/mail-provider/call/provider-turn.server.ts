import PQueue from "p-queue";
import { env } from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import { NOTHING_DONE, type Outcome } from "~/platform/outcome";

/** Waiting calls for each concurrent call. */
const WAITING_PER_CALL = 4;
/** Longest wait, because the caller's own time limit may end soon. */
const WAIT_LIMIT_MS = 15_000;
/** Assumed duration of a call before the first one was measured. */
const FIRST_GUESS_MS = 1_000;
/** Weight of the latest call in the average. */
const WEIGHT = 0.2;

let queue: PQueue | undefined;
let averageMs = FIRST_GUESS_MS;

/**
 * Runs work that calls the provider, up to `STANNP_CONCURRENCY` at once in this process. A caller waits here before it holds
 * credits.
 * Fails with `overloaded` before anything is done when the queue is full or the wait exceeds 15 s.
 * @param signal the caller's disconnect, which ends the wait; null: the work is done without the caller
 */
export async function inProviderTurn<T>(
  work: () => Promise<Outcome<T>>,
  signal: AbortSignal | null = null,
): Promise<Outcome<T>> {
  queue ??= new PQueue({ concurrency: env().providerCallsAtOnce });
  if (queue.size >= queue.concurrency * WAITING_PER_CALL) return refuse(queue);
  const waiting = new AbortController();
  const giveUp = () => waiting.abort();
  const timer = setTimeout(giveUp, WAIT_LIMIT_MS);
  signal?.addEventListener("abort", giveUp);
  const stopWaiting = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  };
  let begun = false;
  try {
    return await queue.add(
      async () => {
        begun = true;
        stopWaiting();
        const startedAt = performance.now();
        try {
          return await work();
        } finally {
          averageMs += (performance.now() - startedAt - averageMs) * WEIGHT;
        }
      },
      { signal: waiting.signal },
    );
  } catch (error) {
    if (begun) throw error;
    return refuse(queue);
  } finally {
    stopWaiting();
  }
}

/** Estimates the wait from the length of the queue. */
function refuse({ size, concurrency }: PQueue): Outcome<never> {
  const seconds = Math.max(1, Math.ceil(((size / concurrency + 1) * averageMs) / 1000));
  const message = `Too many calls are waiting for the mail provider. ${NOTHING_DONE} Try again in ${formatCount(seconds, "second")}.`;
  return { ok: false, failure: { code: "overloaded", message, retryAfterSeconds: seconds } };
}
