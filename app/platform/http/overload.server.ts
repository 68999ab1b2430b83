import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e6;

export interface LoadMonitor {
  /** True when all that is asked of the process waits for longer than the limit. */
  isOverloaded(): boolean;
  stop(): void;
}

/**
 * Measures how late this process comes to its work: the mean delay of the event loop, looked at once per window. It is
 * overloaded when two windows in a row are above the limit: a single long step, as at the start, is none.
 */
export function watchLoad({ limitMs = 1_000, windowMs = 1_500 } = {}): LoadMonitor {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let late = false;
  let overloaded = false;
  const timer = setInterval(() => {
    const isLate = delay.count > 0 && delay.mean / NANOSECONDS > limitMs;
    overloaded = late && isLate;
    late = isLate;
    delay.reset();
  }, windowMs).unref();
  return {
    isOverloaded: () => overloaded,
    stop: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
