import PQueue from "p-queue";
import { env } from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import { NOTHING_DONE, type Outcome } from "~/platform/outcome";
import { findBaseOf } from "./address.server";
import { parseRate, parseResetSeconds, parseWaitSeconds, type Rate } from "./rate-headers";

/** State of a base URL in this process. Times are of `performance.now()`, because the clock may be set back. */
interface Pace {
  rate: (Rate & { until: number }) | null;
  /** Consecutive calls without an answer. */
  failures: number;
  /** End of a used-up rate limit. */
  restUntil: number;
}

/** Consecutive calls without an answer after which a base URL counts as down. */
const FAILURES_TO_SLOW_DOWN = 5;
const TOO_MANY_REQUESTS = 429;

const paces = new Map<string, Pace>();

/** Updates the state of a call's base URL. @param answer null without one; its headers have lower-case names */
export function updatePace(
  url: string,
  answer: { status: number; headers: Readonly<Record<string, string>> } | null,
  now = performance.now(),
): void {
  const base = findBaseOf(url);
  if (!base) return;
  const pace = paces.get(base.url) ?? { rate: null, failures: 0, restUntil: 0 };
  paces.set(base.url, pace);
  pace.failures = answer === null || answer.status >= 500 ? pace.failures + 1 : 0;
  if (answer === null) return;
  if (answer.status === TOO_MANY_REQUESTS) pace.restUntil = now + parseWaitSeconds(answer.headers) * 1_000;
  const rate = parseRate(answer.headers);
  const resetSeconds = parseResetSeconds(answer.headers);
  if (rate && resetSeconds !== null) pace.rate = { ...rate, until: now + resetSeconds * 1_000 };
}

/** Finds the rate limit of this minute; null when unknown. */
export function findRate(baseUrl: string, now = performance.now()): Rate | null {
  const rate = paces.get(baseUrl)?.rate;
  return rate && now < rate.until ? { limit: rate.limit, left: rate.left } : null;
}

/**
 * Returns how many of `wanted` background calls a base URL may get now: none while its rate limit is used up, and one at a
 * time while it does not answer, so that other work does not wait for it.
 */
export function availableCalls(baseUrl: string, wanted: number, now = performance.now()): number {
  const { failures, restUntil } = paces.get(baseUrl) ?? { failures: 0, restUntil: 0 };
  if (now < restUntil) return 0;
  return failures >= FAILURES_TO_SLOW_DOWN ? Math.min(1, wanted) : wanted;
}

/** Clears the state of all base URLs, for tests. */
export function resetPaces(): void {
  paces.clear();
}

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
