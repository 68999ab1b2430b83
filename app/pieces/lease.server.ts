import { env } from "~/platform/env.server";
import { Prisma } from "../../prisma/client/client";

/**
 * A lease: until it ends a piece belongs to the process that works on it. It is as long as the calls to the provider
 * may take, and the time to store what came of them.
 */

/** Time to store what came of a call, in ms. */
export const LEASE_MARGIN_MS = 5_000;
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
  /** The accounts that this process knows, without trailing slashes. */
  baseUrls: string[];
  /** After so long it takes those of other accounts too. */
  anyoneAfterSeconds: number;
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

/** For `WHERE`: nobody works on this piece now, and its next look is due. */
export const IS_DUE = Prisma.sql`
  (lease_until <= clock_timestamp()
    OR lease_until > clock_timestamp() + ${LONGEST_LEASE_MINUTES}::int * interval '1 minute')`;

/** For `SET lease_until`: so many ms from now. */
export function leaseEnd(leaseMs: number): Prisma.Sql {
  // Not now(): that is when the statement began, and it may have waited for a lock since.
  return Prisma.sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
}
