import type { ServerResponse } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { Request } from "express";
import ipaddr from "ipaddr.js";
import PQueue from "p-queue";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "../env.server";
import type { RateKind } from "../env-variables.server";
import { formatCount } from "../format-integer";
import { NOTHING_DONE } from "../outcome";
import { parseBearer, parseSession } from "./session.server";

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

/** Message after a used-up limit. @param isPage true for a person at a browser, where a reload repeats the post */
export function formatTooManyRequests(seconds: number, isPage: boolean): string {
  const wait = `${NOTHING_DONE} Wait ${formatCount(seconds, "second")}`;
  const next = isPage ? ". Then reload this page: what you typed is sent again." : " and try again.";
  return `Too many requests. ${wait}${next}`;
}

/** Formats a token that this process has seen; null for any other text. */
export type FormatToken = (text: string) => string | null;

/**
 * Names the caller of a request, the same in every process: the token, the person of the session, or the address. Unknown
 * tokens count by address, so that invented ones have no limits of their own. IPv6 addresses count by their first half,
 * because their owner chooses the rest.
 */
export async function formatCaller(request: Request, formatToken: FormatToken): Promise<string> {
  const headers = { get: (name: string) => request.get(name) ?? null };
  const bearer = parseBearer(headers);
  if (bearer !== null) return formatToken(bearer) ?? formatAddress(request);
  const session = await parseSession({ headers });
  return session ? `person ${session.subject}` : formatAddress(request);
}

/** Uses the socket's address when `X-Forwarded-For` holds none, so that invented words have no limits of their own. */
function formatAddress({ ip, socket }: Request): string {
  return `address ${shortenAddress((ip && isIP(ip) ? ip : socket.remoteAddress) ?? "")}`;
}

/** Returns the first 64 bits of an IPv6 address, and any other address unchanged. */
export function shortenAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.toNormalizedString().split(":", 4).join(":");
}
