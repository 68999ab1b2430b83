import type { ServerResponse } from "node:http";
import PQueue from "p-queue";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.server";
import type { RateKind } from "./default-rates";

const MINUTE_SECONDS = 60;
/** Concurrent requests of a caller, which bounds its use of memory (20 MB each) and processor time. */
const AT_ONCE = 10;
const WAITING = 100;
/** `Retry-After` for a caller with too many waiting requests. */
const LINE_SECONDS = 2;

const limiters = new Map<RateKind, RateLimiterMemory>();
const lines = new Map<string, PQueue>();

/**
 * Counts a request and waits for its turn, which ends with its answer. Webhooks do not wait, because their senders are few.
 * @returns 0, or after how many seconds the refused caller may try again
 */
export async function limitRequest(
  kind: RateKind,
  caller: string,
  response: ServerResponse,
): Promise<number> {
  const limit = env().rateLimits?.[kind];
  if (limit === undefined) return 0;
  const seconds = await countRequest(kind, limit, caller);
  if (seconds > 0 || kind === "webhook") return seconds;
  return (await takeTurn(caller, response)) ? 0 : LINE_SECONDS;
}

async function countRequest(kind: RateKind, limit: number, caller: string): Promise<number> {
  const limiter =
    limiters.get(kind) ?? new RateLimiterMemory({ keyPrefix: kind, points: limit, duration: MINUTE_SECONDS });
  limiters.set(kind, limiter);
  try {
    await limiter.consume(caller);
    return 0;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}

/** Resolves to false when a hundred requests of the caller wait already, or the caller has disconnected. */
function takeTurn(caller: string, response: ServerResponse): Promise<boolean> {
  const line = lines.get(caller) ?? openLine(caller);
  if (line.size >= WAITING) return Promise.resolve(false);
  return new Promise((resolve) => {
    void line.add(
      () =>
        new Promise<void>((leave) => {
          response.once("close", leave);
          if (response.closed) leave();
          resolve(!response.closed);
        }),
    );
  });
}

function openLine(caller: string): PQueue {
  const line = new PQueue({ concurrency: AT_ONCE });
  line.on("idle", () => lines.delete(caller));
  lines.set(caller, line);
  return line;
}
