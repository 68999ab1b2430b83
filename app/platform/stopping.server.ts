import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Shutdown of this process: `/readyz` answers 503, then no new requests are accepted, then outside calls are aborted so
 * that other processes take over their work.
 */

let stopping = false;
const handOver = new AbortController();
// Each open call adds a listener.
setMaxListeners(0, handOver.signal);
const unfinished = new Set<Promise<unknown>>();

export function isStopping(): boolean {
  return stopping;
}

export function beginStopping(): void {
  stopping = true;
}

/** Aborted when outside calls must end now and other processes take over their work. */
export const handOverSignal: AbortSignal = handOver.signal;

export function endCalls(): void {
  handOver.abort();
}

/** Makes the shutdown wait for work that no request waits for. */
export function finishBeforeExit<T>(work: Promise<T>): Promise<T> {
  unfinished.add(work);
  const forget = () => unfinished.delete(work);
  work.then(forget, forget);
  return work;
}

/** Waits up to `limitMs` for work of {@link finishBeforeExit}, including work that starts during the wait. */
export async function waitForUnfinished(limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while (unfinished.size > 0 && performance.now() < until) {
    const rest = wait(until - performance.now(), undefined, { ref: false });
    await Promise.race([Promise.allSettled(unfinished), rest]);
  }
}
