import PQueue from "p-queue";
import { env } from "~/platform/env.server";
import { fail, type Outcome } from "~/platform/outcome";
import { formatProviderBusy } from "../messages";

/** How many wait for each call that may be under way. */
const WAITING_PER_CALL = 4;
/** Who has waited this long is told to come back: the caller's own time limit may end soon. */
const WAIT_LIMIT_MS = 15_000;
/** Until calls were measured, one is taken to last that long. */
const FIRST_GUESS_MS = 1_000;
/** The share of the latest call in the average. */
const WEIGHT = 0.2;

let queue: PQueue | undefined;
let averageMs = FIRST_GUESS_MS;

/**
 * Does work that calls the provider, when it is its turn: `STANNP_CONCURRENCY` at once in this process. Whoever holds
 * credits for a call takes the turn first, so that nothing is held while it waits.
 * Fails with `overloaded`, and nothing was done, when the line is full or has not moved enough in 15 s.
 * @param signal the caller's disconnect: who has gone gives up the place. Null: the work is done all the same
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

/** Says how long those in front take. */
function refuse({ size, concurrency }: PQueue): Outcome<never> {
  const seconds = Math.max(1, Math.ceil(((size / concurrency + 1) * averageMs) / 1000));
  return {
    ok: false,
    failure: { ...fail("overloaded", formatProviderBusy(seconds)).failure, retryAfterSeconds: seconds },
  };
}
