import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/**
 * The end of this process, as the rooms see it. First it says that it is not ready, then it takes no new requests, then
 * calls to others are ended, so that other processes take over what they were about.
 */

let stopping = false;
const handOver = new AbortController();
// One listener for each call under way.
setMaxListeners(0, handOver.signal);
const unfinished = new Set<Promise<unknown>>();

/** True from the first signal to stop: `/readyz` says so, and connections are closed after their answer. */
export function isStopping(): boolean {
  return stopping;
}

export function beginStopping(): void {
  stopping = true;
}

/** Aborted when calls to others must end now. What they were about is left to other processes. */
export const handOverSignal: AbortSignal = handOver.signal;

export function endCalls(): void {
  handOver.abort();
}

/** Has the end of the process wait for work that no request waits for. */
export function finishBeforeExit<T>(work: Promise<T>): Promise<T> {
  unfinished.add(work);
  const forget = () => unfinished.delete(work);
  work.then(forget, forget);
  return work;
}

/** Waits for what {@link finishBeforeExit} was told of, work that begins meanwhile included, so many ms at most. */
export async function waitForUnfinished(limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while (unfinished.size > 0 && performance.now() < until) {
    const rest = wait(until - performance.now(), undefined, { ref: false });
    await Promise.race([Promise.allSettled(unfinished), rest]);
  }
}
