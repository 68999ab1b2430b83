import { setTimeout as wait } from "node:timers/promises";
import { env } from "~/platform/env.server";
import { handOverSignal } from "~/platform/stopping.server";
import { Prisma } from "../../prisma/client/client";

/**
 * A lease reserves a piece for the process that works on it. It covers the calls to the provider, and the time to
 * store their outcome.
 */

/** Time to store the outcome of a call. */
const LEASE_MARGIN_MS = 5_000;
/** Limit of leases and waits. A longer one comes from a wrong clock or header, and does not count. */
const LONGEST_LEASE_MINUTES = 60;
/** Limit of a status request, because something else waits for it. */
const STATUS_LIMIT_MS = 10_000;

export interface ClaimTerms {
  leaseMs: number;
  limit: number;
  from: ClaimSource;
}

/**
 * Pieces of a base URL (without a trailing slash) that were sent with one of these keys; or orphans, whose base URL
 * or key no process seems to have, because no one claimed them for long.
 */
export type ClaimSource =
  | { kind: "base"; baseUrl: string; keys: readonly string[] }
  | { kind: "orphans"; baseUrls: string[]; keys: readonly string[] };

/** Until this age a piece is left to processes that know its base URL; later no call may be repeated. */
const ORPHAN_OF_BASE_HOURS = 20;
/** Time after its lease during which a piece is left to processes that have its key. */
const ORPHAN_OF_KEY_MINUTES = 15;

/**
 * A condition for the pieces of a source, on `sends.lease_until` and `key_fingerprint`.
 * @param url the column with the URL of the call, or the base URL and a slash
 * @param since the column with the time from which a piece may become an orphan
 */
export function isOfSource(from: ClaimSource, url: Prisma.Sql, since: Prisma.Sql): Prisma.Sql {
  const isOfBase = (baseUrl: string) => Prisma.sql`starts_with(${url}, ${`${baseUrl}/`})`;
  const hasKey = Prisma.sql`(key_fingerprint IS NULL OR key_fingerprint = ANY(${from.keys}::text[]))`;
  if (from.kind === "base") return Prisma.sql`(${isOfBase(from.baseUrl)} AND ${hasKey})`;
  const isKnownBase = Prisma.sql`(${Prisma.join(from.baseUrls.map(isOfBase), " OR ")})`;
  return Prisma.sql`(
    (NOT ${isKnownBase} AND ${since} < now() - ${ORPHAN_OF_BASE_HOURS}::int * interval '1 hour')
    OR (${isKnownBase} AND NOT ${hasKey}
      AND lease_until < clock_timestamp() - ${ORPHAN_OF_KEY_MINUTES}::int * interval '1 minute'))`;
}

export function sendLeaseMs(): number {
  return env().providerTimeoutMs + LEASE_MARGIN_MS;
}

/** Returns the lease of a call that cancels a piece, with a number of status requests, in ms. */
export function cancelLeaseMs(statusRequests: number): number {
  return sendLeaseMs() + statusRequests * statusLimitMs();
}

export function statusLimitMs(): number {
  return Math.min(env().providerTimeoutMs, STATUS_LIMIT_MS);
}

/** A condition that no process works on the piece now, and its next check is due. */
export const IS_DUE = Prisma.sql`
  (lease_until <= clock_timestamp()
    OR lease_until > clock_timestamp() + ${LONGEST_LEASE_MINUTES}::int * interval '1 minute')`;

export function leaseEnd(leaseMs: number): Prisma.Sql {
  // now() is the start of the transaction, which may have waited for a lock since.
  return Prisma.sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
}

/** The time that a process has left for a leased piece. */
export interface CallTime {
  /** Time until its last call must have ended, in ms. At 0 or less another process may have the piece. */
  leftMs(): number;
}

/**
 * Starts the time for calls within a lease; call it before the statement that begins the lease. It uses the clocks of
 * this process, so a process that was paused has no time left.
 */
export function startCallTime(leaseMs = sendLeaseMs()): CallTime {
  return startTime(leaseMs - LEASE_MARGIN_MS / 2);
}

/** Starts a limit of `limitMs`, which ends when the first of two clocks reaches it. */
export function startTime(limitMs: number): CallTime {
  const startedAt = performance.now();
  const startedOn = Date.now();
  // One clock stops while a machine sleeps; the other one may be set.
  return { leftMs: () => limitMs - Math.max(performance.now() - startedAt, Date.now() - startedOn) };
}

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
