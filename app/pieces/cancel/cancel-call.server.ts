import { setTimeout as wait } from "node:timers/promises";
import {
  type CancelVerdict,
  callCancel,
  type Exchange,
  lookAtPiece,
  type PieceLook,
} from "~/outside/mail-provider/piece.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import type { CancelCase } from "./cancel-record.server";

type Piece = Pick<CancelCase, "userId" | "baseUrl" | "type" | "providerId">;

/** A look is short: it is asked beside something else that waits. */
const LOOK_LIMIT_MS = 10_000;
/** Time to book what came of the calls. */
const LEASE_MARGIN_MS = 5_000;

/** How long a cancel belongs to the process that has claimed it: the call, so many looks, and time to book them. */
export function cancelLeaseMs(looks: number): number {
  return env().providerTimeoutMs + looks * lookLimitMs() + LEASE_MARGIN_MS;
}

/**
 * Asks the provider to cancel. A 429 is not done: it is asked again after the provider's wait while that lies within
 * `STANNP_TIMEOUT_MS` in all. Never throws.
 */
export async function callUntilAnswered({
  userId,
  baseUrl,
  type,
  providerId,
}: Piece): Promise<{ exchange: Exchange; verdict: CancelVerdict }> {
  const deadline = performance.now() + env().providerTimeoutMs;
  for (;;) {
    const piece = { baseUrl, type, id: providerId ?? "" };
    const tried = await callCancel(piece, deadline - performance.now());
    const { result } = tried.exchange;
    log.info("provider call", {
      userId,
      method: "POST",
      providerPath: `${type}s/cancel`,
      durationMs: result.durationMs,
      ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
    });
    if (tried.verdict.kind !== "rate_limited") return tried;
    const waitMs = tried.verdict.waitSeconds * 1000;
    if (performance.now() + waitMs >= deadline) return tried;
    await wait(waitMs);
  }
}

/** Asks the provider where the piece stands. Never throws. */
export function look({ baseUrl, type, providerId }: Piece): Promise<PieceLook> {
  return lookAtPiece({ baseUrl, type, id: providerId ?? "" }, lookLimitMs());
}

function lookLimitMs(): number {
  return Math.min(env().providerTimeoutMs, LOOK_LIMIT_MS);
}
