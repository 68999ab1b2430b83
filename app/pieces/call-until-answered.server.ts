import { setTimeout as wait } from "node:timers/promises";
import type { ProviderResult } from "~/outside/mail-provider/call/client.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import { handOverSignal } from "~/platform/stopping.server";
import type { CallTime } from "./lease.server";

/** The outcome of a call, as far as it decides about another one. */
interface Attempt {
  outcome: { kind: string; waitSeconds?: number };
}

/**
 * Calls the provider, again after each wait that a used-up rate limit requests, while all of it fits into
 * `STANNP_TIMEOUT_MS` and `time`. The end of this process ends the waiting.
 * @param callOnce must not throw; with 0 ms no time is left, and it must not call
 */
export async function callUntilAnswered<T extends Attempt>(
  callOnce: (timeoutMs: number) => Promise<T>,
  time: CallTime,
): Promise<T> {
  const deadline = performance.now() + env().providerTimeoutMs;
  for (;;) {
    const attempt = await callOnce(Math.max(0, Math.min(deadline - performance.now(), time.leftMs())));
    const { kind, waitSeconds = 0 } = attempt.outcome;
    if (kind !== "rate_limited" || performance.now() + waitSeconds * 1000 >= deadline) return attempt;
    await wait(waitSeconds * 1000, undefined, { signal: handOverSignal }).catch(() => undefined);
    if (handOverSignal.aborted) return attempt;
  }
}

/** Logs a call. */
export function logProviderCall(
  call: { userId: string; method: string; providerPath: string; sendId?: string },
  result: ProviderResult,
): void {
  log.info("provider.called", {
    ...call,
    durationMs: result.durationMs,
    ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
  });
}
