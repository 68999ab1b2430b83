import { env } from "~/platform/env.server";
import { Prisma } from "../../prisma/client/client";

/**
 * A lease: until it ends a piece belongs to the process that works on it. It is as long as the calls to the provider
 * may take, and the time to store what came of them.
 */

/** Time to store what came of a call, in ms. */
const LEASE_MARGIN_MS = 5_000;
/** No lease and no wait is longer: one that seems to be was made by a clock or a header that was wrong, and is none. */
const LONGEST_LEASE_MINUTES = 60;
/** Asking where a piece is must be short: something else is waiting for it. */
const STATUS_LIMIT_MS = 10_000;

/** Which pieces a process takes over whose lease ran out. */
export interface ClaimTerms {
  /** How long they then belong to it, in ms. */
  leaseMs: number;
  /** How many at most. */
  limit: number;
  /** Where they were sent. */
  from: ClaimSource;
}

/**
 * Pieces of a base URL (without a trailing slash) that were sent with one of these keys; or orphans, pieces of no base URL
 * or no key that any process has, as far as one can tell: no one took them for long.
 */
export type ClaimSource =
  | { kind: "base"; baseUrl: string; keys: readonly string[] }
  | { kind: "orphans"; baseUrls: string[]; keys: readonly string[] };

/** Until then a piece is left to processes that know its base URL; later none may repeat its call. */
const ORPHAN_OF_BASE_HOURS = 20;
/** Until then after its lease ended it is left to processes that have its key. */
const ORPHAN_OF_KEY_MINUTES = 15;

/** For `WHERE`: the pieces of a source. The columns are `sends.lease_until`, `key_fingerprint` and the given ones. */
export function isOfSource(from: ClaimSource, at: Prisma.Sql, since: Prisma.Sql): Prisma.Sql {
  const isOfBase = (url: string) => Prisma.sql`starts_with(${at}, ${`${url}/`})`;
  const hasKey = Prisma.sql`(key_fingerprint IS NULL OR key_fingerprint = ANY(${from.keys}::text[]))`;
  if (from.kind === "base") return Prisma.sql`(${isOfBase(from.baseUrl)} AND ${hasKey})`;
  const isKnownBase = Prisma.sql`(${Prisma.join(from.baseUrls.map(isOfBase), " OR ")})`;
  return Prisma.sql`(
    (NOT ${isKnownBase} AND ${since} < now() - ${ORPHAN_OF_BASE_HOURS}::int * interval '1 hour')
    OR (${isKnownBase} AND NOT ${hasKey}
      AND lease_until < clock_timestamp() - ${ORPHAN_OF_KEY_MINUTES}::int * interval '1 minute'))`;
}

/** The lease of a call that sends a piece, in ms. */
export function sendLeaseMs(): number {
  return env().providerTimeoutMs + LEASE_MARGIN_MS;
}

/** The lease of a call that cancels a piece, with so many questions where it is, in ms. */
export function cancelLeaseMs(questions: number): number {
  return sendLeaseMs() + questions * statusLimitMs();
}

/** The longest that asking where a piece is may take, in ms. */
export function statusLimitMs(): number {
  return Math.min(env().providerTimeoutMs, STATUS_LIMIT_MS);
}

/** For `WHERE`: no process works on this piece now, and its next look is due. */
export const IS_DUE = Prisma.sql`
  (lease_until <= clock_timestamp()
    OR lease_until > clock_timestamp() + ${LONGEST_LEASE_MINUTES}::int * interval '1 minute')`;

/** For `SET lease_until`: so many ms from now. */
export function leaseEnd(leaseMs: number): Prisma.Sql {
  // Not now(): that is when the statement began, and it may have waited for a lock since.
  return Prisma.sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
}

/** The time that a process has left for a leased piece. */
export interface CallTime {
  /** Until its last call must have ended, in ms; 0 and less: another process may have the piece. */
  leftMs(): number;
}

/**
 * The time for calls within a lease. To be started before the statement that begins the lease. It goes by the clocks of
 * this process, so a process that was paused finds its time over and calls no more.
 */
export function startCallTime(leaseMs = sendLeaseMs()): CallTime {
  return startTime(leaseMs - LEASE_MARGIN_MS / 2);
}

/** Starts a limit of `ms`. It ends when the first clock of this process says so. */
export function startTime(limitMs: number): CallTime {
  const startedAt = performance.now();
  const startedOn = Date.now();
  // One clock stands still while a machine sleeps, the other one may be set.
  return {
    leftMs: () => limitMs - Math.max(performance.now() - startedAt, Date.now() - startedOn),
  };
}
